"""Hints, as scripts of a channel: how often, for whom, and how they are ended (GEN-11)."""

from playing import true


def test_gen_11_hints():
    """GEN-11: at most one a minute, the same one once in ten minutes; whoever called the bot is always told."""
    true(
        """
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: roll 5d10 h2 dificulty 3
        bob: roll 5d10 h2 dificulty 3
            (bob) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        ... 59 s
        alice: roll 5d10 h2 dificulty 4
        alice: FUDice: roll 5d10 h2 dificulty 4
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc4
        ... 1 s
        alice: roll 5d10 h2 dificulty 3
        alice: roll 5d10 h2 dificulty 4
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc4
        ... 539 s
        alice: roll 5d10 h2 dificulty 3
        ... 1 s
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
    )


def test_gen_11_hints_off():
    """GEN-11: `hints off` ends them for that speaker, `hints on` brings them back (called: GEN-13)."""
    true(
        """
        alice: hints off
        alice: !hints off
            (alice) hints are off for you.
        alice: roll 5d10 h2 dificulty 3
        bob: roll 5d10 h2 dificulty 3
            (bob) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: !roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: !hints on
            (alice) hints are on for you.
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
    )


def test_gen_11_hints_no():
    """GEN-11: `hints = no` in the config."""
    true(
        """
        alice: roll 5d10 h2 dificulty 3
        alice: !roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        """,
        hinting=True,
        hints=False,
    )
