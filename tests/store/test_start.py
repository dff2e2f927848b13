"""What a stored ledger costs those who open none."""

import subprocess
import sys


def test_led_01_sqlalchemy_is_imported_by_whoever_opens_a_stored_ledger_alone(environment):
    """LED-01: `eval` and `odds` start without it."""
    script = "import sys, ircdice.ledger, ircdice.cli, ircdice.evaluation; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], env=environment).returncode == 0
