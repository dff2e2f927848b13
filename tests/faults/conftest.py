"""The servers of the tests of wire and ledger."""

from tests.ledger.conftest import postgresql_alone  # noqa: F401  # fixtures
from tests.wire.conftest import inspircd, ngircd_unlimited, server_packages  # noqa: F401  # fixtures
