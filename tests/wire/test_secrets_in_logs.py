"""What a log shows of lines that hold secrets."""

from __future__ import annotations

import pytest

from ircdice.wire.protocol import masked


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("PASS secret", "PASS ***"),
        ("pass :secret words", "pass ***"),
        ("AUTHENTICATE c2VjcmV0", "AUTHENTICATE ***"),
        (":s AUTHENTICATE c2VjcmV0", ":s AUTHENTICATE ***"),
        ("OPER me secret", "OPER me ***"),
        ("JOIN #a,#b secret", "JOIN #a,#b ***"),
        ("JOIN #a", "JOIN #a"),
        (":al!u@h JOIN #a account :real name", ":al!u@h JOIN #a account :real name"),
        ("PRIVMSG NickServ :IDENTIFY secret", "PRIVMSG NickServ ***"),
        ("PRIVMSG nickserv@services.example :IDENTIFY secret", "PRIVMSG nickserv@services.example ***"),
        ("@time=x;label=y :me!u@h PRIVMSG NickServ :IDENTIFY secret", "@time=x;label=y :me!u@h PRIVMSG NickServ ***"),
        ("NS IDENTIFY secret", "NS ***"),
        ("PRIVMSG #a :PASS on", "PRIVMSG #a :PASS on"),
        (":al!u@h PRIVMSG #a :JOIN #b secret", ":al!u@h PRIVMSG #a :JOIN #b secret"),
        ("MODE #a +k secret", "MODE #a +k ***"),
        (":al!u@h MODE #a +tk-o secret bo", ":al!u@h MODE #a +tk-o ***"),
        (":al!u@h MODE #a +o bo", ":al!u@h MODE #a +o bo"),
        (":s 324 me #a +ntk secret", ":s 324 me #a +ntk ***"),
        (":s 324 me #a +nt", ":s 324 me #a +nt"),
        (":sam!u@h PRIVMSG FUDice :dificulty 9 for bob in #a", ":sam!u@h PRIVMSG FUDice ***"),
        ("@account=s :sam!u@h PRIVMSG FUDice :secret roll 5d10", "@account=s :sam!u@h PRIVMSG FUDice ***"),
        ("PRIVMSG sam :Not rolled. Did you mean: difficulty 9 in #a", "PRIVMSG sam ***"),
        ("PRIVMSG sam :sam: Success, 3 successes", "PRIVMSG sam ***"),
        ("NOTICE sam :Not rolled: what would be hidden?", "NOTICE sam ***"),
        (":FUDice!u@h NOTICE sam :for you alone", ":FUDice!u@h NOTICE sam ***"),
        (":irc.example NOTICE FUDice :no secret", ":irc.example NOTICE FUDice :no secret"),
        (":NickServ!s@h NOTICE FUDice :you are recognised", ":NickServ!s@h NOTICE FUDice :you are recognised"),
        (":bob!u@h PRIVMSG #a :roll 5d10", ":bob!u@h PRIVMSG #a :roll 5d10"),
        (
            "PRIVMSG #a :bob: Win; 5 from 5; difficulty secret; d8",
            "PRIVMSG #a :bob: Win; 5 from 5; difficulty secret; d8",
        ),
        ("PING :x", "PING :x"),
        ("", ""),
    ],
)
def test_masked(line: str, shown: str) -> None:
    """IRC-05, FW-10: secrets stand in no log, whichever way they go."""
    assert masked(line) == shown
