"""Generic dice: scripted throws with their labels, values and line, rule by rule."""

import pytest
from playing import line


@pytest.fixture
def say(evaluate):
    """One line in a V5 channel, what `eval --lines` answers."""

    def said(text, *dice, **more):
        return evaluate({"text": text, "dice": list(dice), "who": "alice", **more})

    return said


THROWS = [  # text, faces, values, line
    # language.md: the three lines that are given there
    ("roll 4d6k3", (6, 6, 5, 2), {"total": 17}, "17; 4d6k3 6 6 5, dropped 2; 4d6k3"),
    ("roll 5d6>=5", (6, 5, 2, 6, 1), {"successes": 3}, "3 successes; 6 5 2 6 1; 5d6>=5"),
    # GD-01: dice of every kind
    ("roll 3d6", (1, 2, 6), {"total": 9}, "9; 3d6 1 2 6; 3d6"),
    ("roll d20", (11,), {"total": 11}, "11; 1d20 11; 1d20"),
    ("roll D20", (11,), {"total": 11}, "11; 1d20 11; 1d20"),
    ("roll d%", (100,), {"total": 100}, "100; 1d100 100; 1d100"),
    ("roll 2d%", (100, 1), {"total": 101}, "101; 2d100 100 1; 2d100"),
    ("roll 4dF", (-1, 0, 1, 1), {"total": 1}, "1; 4dF -1 0 1 1; 4dF"),
    ("roll 4df", (-1, -1, -1, -1), {"total": -4}, "-4; 4dF -1 -1 -1 -1; 4dF"),
    ("roll 2d{1,3,5,5}", (5, 3), {"total": 8}, "8; 2d{1,3,5,5} 5 3; 2d{1,3,5,5}"),
    ("roll d{ -2, +7 }", (-2,), {"total": -2}, "-2; 1d{-2,7} -2; 1d{-2,7}"),
    ("roll d1000", (1000,), {"total": 1000}, "1000; 1d1000 1000; 1d1000"),
    ("roll d{-1,0,1}", (0,), {"total": 0}, "0; 1dF 0; 1dF"),
    ("roll 5 d6", (1, 1, 1, 1, 1), {"total": 5}, "5; 5d6 1 1 1 1 1; 5d6"),
    # GD-02: keep and drop
    ("roll 4d6k", (1, 5, 3, 5), {"total": 5}, "5; 4d6k1 5, dropped 1 3 5; 4d6k1"),
    ("roll 4d6kh2", (1, 5, 3, 5), {"total": 10}, "10; 4d6k2 5 5, dropped 1 3; 4d6k2"),
    ("roll 4d6 kh3", (1, 5, 3, 5), {"total": 13}, "13; 4d6k3 5 3 5, dropped 1; 4d6k3"),
    ("roll 4d6kl", (1, 5, 1, 5), {"total": 1}, "1; 4d6kl1 1, dropped 5 1 5; 4d6kl1"),
    ("roll 4d6kl3", (4, 5, 3, 5), {"total": 12}, "12; 4d6kl3 4 5 3, dropped 5; 4d6kl3"),
    ("roll 4d6d", (4, 5, 3, 5), {"total": 14}, "14; 4d6dl1 4 5 5, dropped 3; 4d6dl1"),
    ("roll 4d6d1", (4, 5, 3, 5), {"total": 14}, "14; 4d6dl1 4 5 5, dropped 3; 4d6dl1"),
    ("roll 4d6dl2", (4, 5, 3, 5), {"total": 10}, "10; 4d6dl2 5 5, dropped 4 3; 4d6dl2"),
    ("roll 4d6dh", (4, 5, 3, 5), {"total": 12}, "12; 4d6dh1 4 5 3, dropped 5; 4d6dh1"),
    ("roll 4d6dh3", (4, 5, 3, 5), {"total": 3}, "3; 4d6dh3 3, dropped 4 5 5; 4d6dh3"),
    ("roll 2d6k5", (4, 5), {"total": 9}, "9; 2d6k5 4 5; 2d6k5"),
    ("roll 2d6kl5", (4, 5), {"total": 9}, "9; 2d6kl5 4 5; 2d6kl5"),
    ("roll 2d6d2", (4, 5), {"total": 0}, "0; 2d6dl2, dropped 4 5; 2d6dl2"),
    ("roll 2d6dh7", (4, 5), {"total": 0}, "0; 2d6dh7, dropped 4 5; 2d6dh7"),
    ("roll 4d6k3dl1", (6, 6, 5, 2), {"total": 12}, "12; 4d6k3dl1 6 6, dropped 5 2; 4d6k3dl1"),
    ("roll 4d6k3 dl1", (6, 6, 5, 2), {"total": 12}, "12; 4d6k3dl1 6 6, dropped 5 2; 4d6k3dl1"),
    # GD-03: what a comparison is
    ("roll 5d6=5", (6, 5, 2, 5, 1), {"successes": 2}, "2 successes; 6 5 2 5 1; 5d6=5"),
    ("roll 5d6<3", (6, 5, 2, 3, 1), {"successes": 2}, "2 successes; 6 5 2 3 1; 5d6<3"),
    ("roll 5d6>3", (6, 5, 2, 3, 1), {"successes": 2}, "2 successes; 6 5 2 3 1; 5d6>3"),
    ("roll 5d6<=3", (6, 5, 2, 3, 1), {"successes": 3}, "3 successes; 6 5 2 3 1; 5d6<=3"),
    ("roll 5d6≤3", (6, 5, 2, 3, 1), {"successes": 3}, "3 successes; 6 5 2 3 1; 5d6<=3"),
    ("roll 5d6≥3", (6, 5, 2, 3, 1), {"successes": 3}, "3 successes; 6 5 2 3 1; 5d6>=3"),
    ("roll 5d6<>3", (6, 5, 2, 3, 1), {"successes": 4}, "4 successes; 6 5 2 3 1; 5d6<>3"),
    ("roll 5d6≠3", (6, 5, 2, 3, 1), {"successes": 4}, "4 successes; 6 5 2 3 1; 5d6<>3"),
    ("roll 3d6kh2!=6", (6, 5, 2), {"successes": 1}, "1 success; 6 5, dropped 2; 3d6k2<>6"),
    ("roll 3d6r!=6", (6, 5, 6, 6), {"total": 18}, "18; 3d6r<>6 6 6 6, rerolled 5; 3d6r<>6"),
    ("roll 4dF>=-0", (-1, 0, 1, 1), {"successes": 3}, "3 successes; -1 0 1 1; 4dF>=0"),
    ("roll 4dF=-1", (-1, 0, 1, 1), {"successes": 1}, "1 success; -1 0 1 1; 4dF=-1"),
    # GD-04: rerolls; the new faces of all that match come before any that are rerolled again
    ("roll 4d6r1", (1, 4, 1, 6, 1, 3, 2), {"total": 15}, "15; 4d6r1 2 4 3 6, rerolled 1 1 1; 4d6r1"),
    ("roll 4d6r<3", (1, 4, 2, 6, 5, 1, 6), {"total": 21}, "21; 4d6r<3 5 4 6 6, rerolled 1 2 1; 4d6r<3"),
    ("roll 4d6ro1", (1, 4, 1, 6, 1, 3), {"total": 14}, "14; 4d6ro1 1 4 3 6, rerolled 1 1; 4d6ro1"),
    ("roll 4d6 ro<3", (1, 4, 2, 6, 2, 1), {"total": 13}, "13; 4d6ro<3 2 4 1 6, rerolled 1 2; 4d6ro<3"),
    ("roll 2d{1,3}r3", (3, 1, 3, 1), {"total": 2}, "2; 2d{1,3}r3 1 1, rerolled 3 3; 2d{1,3}r3"),
    ("roll 1d6ro<7", (3, 4), {"total": 4}, "4; 1d6ro<7 4, rerolled 3; 1d6ro<7"),
    # GD-05: explosions, which GEN-12 has named
    ("roll 3d6!", (6, 1, 6, 6, 2, 3), {"total": 24}, "24, exploding; 3d6! 6 1 6 6 2 3; 3d6!"),
    ("roll 3d6!6", (6, 1, 2, 5), {"total": 14}, "14, exploding; 3d6! 6 1 2 5; 3d6!"),
    ("roll 3d6!=6", (6, 1, 2, 5), {"total": 14}, "14, exploding; 3d6! 6 1 2 5; 3d6!"),
    ("roll 3d6e6", (6, 1, 2, 5), {"total": 14}, "14, exploding; 3d6! 6 1 2 5; 3d6!"),
    ("roll 3d6 e6", (6, 1, 2, 5), {"total": 14}, "14, exploding; 3d6! 6 1 2 5; 3d6!"),
    ("roll 3d6e", (6, 1, 2, 5), {"total": 14}, "14, exploding; 3d6! 6 1 2 5; 3d6!"),
    ("roll 3d6e!=6", (6, 1, 2, 6, 6), {"total": 21}, "21, exploding; 3d6!<>6 6 1 2 6 6; 3d6!<>6"),
    ("roll 3d6!>4", (5, 1, 6, 2, 5, 1), {"total": 20}, "20, exploding; 3d6!>4 5 1 6 2 5 1; 3d6!>4"),
    ("roll 3d6k2!!=6", (6, 5, 1, 2), {"total": 13}, "13, exploding; 3d6k2!! 6+2 5, dropped 1; 3d6k2!!"),
    ("roll 3d6k2!p=6", (6, 5, 1, 2), {"total": 12}, "12, exploding; 3d6k2!p 6 5 1, dropped 1; 3d6k2!p"),
    ("roll 2dF!=-1", (-1, 0, 1), {"total": 0}, "0, exploding; 2dFe=-1 -1 0 1; 2dFe=-1"),
    ("roll 2dF!", (1, 0, 1, -1), {"total": 1}, "1, exploding; 2dF! 1 0 1 -1; 2dF!"),
    ("roll d{9,2}!", (9, 2), {"total": 11}, "11, exploding; 1d{9,2}! 9 2; 1d{9,2}!"),
    ("roll 4d6!>=5>=4", (5, 1, 4, 3, 6, 4), {"successes": 4}, "4 successes, exploding; 5 1 4 3 6 4; 4d6!>=5>=4"),
    ("roll 4d6!6=6", (6, 1, 4, 3, 6, 4), {"successes": 2}, "2 successes, exploding; 6 1 4 3 6 4; 4d6!6=6"),
    ("roll 2d6!!", (6, 1, 6, 3), {"total": 16}, "16, exploding; 2d6!! 6+6+3 1; 2d6!!"),
    ("roll 2d6!!>5", (6, 1, 3), {"total": 10}, "10, exploding; 2d6!!>5 6+3 1; 2d6!!>5"),
    ("roll 2d6!!6>=9", (6, 1, 3), {"successes": 1}, "1 success, exploding; 6+3 1; 2d6!!6>=9"),
    ("roll 2d6mi3!!", (1, 6, 2), {"total": 11}, "11, exploding; 2d6mi3!! 3 6+2, raised 1; 2d6mi3!!"),
    ("roll 1d6mi6!!", (1, 2), {"total": 8}, "8, exploding; 1d6mi6!! 6+2, raised 1; 1d6mi6!!"),
    ("roll 2d6ma5!!5", (6, 1, 2), {"total": 8}, "8, exploding; 2d6ma5!!5 5+2 1, lowered 6; 2d6ma5!!5"),
    ("roll 2d6!!k1", (6, 5, 1), {"total": 7}, "7, exploding; 2d6!!k1 6+1, dropped 5; 2d6!!k1"),
    ("roll 2d6!p", (6, 1, 6, 3), {"total": 14}, "14, exploding; 2d6!p 6 1 5 2; 2d6!p"),
    ("roll 2d6!p6", (6, 1, 1), {"total": 7}, "7, exploding; 2d6!p 6 1 0; 2d6!p"),
    ("roll 2d6!p>4", (6, 1, 5, 4), {"total": 14}, "14, exploding; 2d6!p>4 6 1 4 3; 2d6!p>4"),
    ("roll 2d6!p6>=5", (6, 1, 6, 6, 2), {"successes": 3}, "3 successes, exploding; 6 1 5 5 1; 2d6!p6>=5"),
    ("roll 4d6!-1", (6, 1, 1, 1, 2), {"total": 10}, "10, exploding; 4d6! 6 1 1 1 2; 4d6!-1"),
    ("roll 2d6!6!5", (6, 5, 5, 2, 1), {"total": 19}, "19, exploding; 2d6!6!5 6 5 5 2 1; 2d6!6!5"),
    # GD-06: raised and lowered
    ("roll 3d6mi3", (1, 3, 6), {"total": 12}, "12; 3d6mi3 3 3 6, raised 1; 3d6mi3"),
    ("roll 3d6 ma3", (1, 3, 6), {"total": 7}, "7; 3d6ma3 1 3 3, lowered 6; 3d6ma3"),
    ("roll 2dFmi-0ma0", (-1, 1), {"total": 0}, "0; 2dFmi0ma0 0 0, raised -1, lowered 1; 2dFmi0ma0"),
    ("roll 1d6mi9", (1,), {"total": 9}, "9; 1d6mi9 9, raised 1; 1d6mi9"),
    # GD-07: counting, and taking away
    ("roll 6d6>=5f1", (6, 1, 1, 1, 2, 3), {"successes": -2}, "-2 successes; 6 1 1 1 2 3; 6d6>=5f1"),
    ("roll 6d6>=5 f<=2", (6, 1, 1, 1, 2, 3), {"successes": -3}, "-3 successes; 6 1 1 1 2 3; 6d6>=5f<=2"),
    ("roll 8d10>7", (8, 7, 9, 1, 2, 3, 4, 5), {"successes": 2}, "2 successes; 8 7 9 1 2 3 4 5; 8d10>7"),
    ("roll (3d6>4)", (5, 6, 1), {"successes": 2}, "2 successes; 5 6 1; 3d6>4"),
    ("roll ((3d6>4))[luck]", (5, 6, 1), {"successes": 2}, '2 successes; 5 6 1; (3d6>4) "luck"'),
    ("roll -3d6>4", (5, 6, 1), {"total": -2}, "-2; 3d6>4 5 6 1; -3d6>4"),
    ("roll 3d6>4+1", (5, 6, 1), {"total": 3}, "3; 3d6>4 5 6 1; 3d6>4+1"),
    ("roll 3d6>4+2d6>4", (5, 6, 1, 6, 6), {"total": 4}, "4; 3d6>4 5 6 1 | 2d6>4 6 6; 3d6>4+2d6>4"),
    # GD-08: in the order written, to the dice as they then are
    ("roll 4d6kh3!", (6, 6, 5, 6, 1, 2, 3), {"total": 24}, "24, exploding; 4d6k3! 6 6 6 1 2 3, dropped 5; 4d6k3!"),
    ("roll 4d6!kh3", (6, 1, 1, 1, 6, 2), {"total": 14}, "14, exploding; 4d6!k3 6 6 2, dropped 1 1 1; 4d6!k3"),
    ("roll 3d6mi3r3", (1, 3, 6, 4, 5), {"total": 15}, "15; 3d6mi3r3 4 5 6, rerolled 3 3, raised 1; 3d6mi3r3"),
    ("roll 3d6r1mi3", (1, 3, 6, 2), {"total": 12}, "12; 3d6r1mi3 3 3 6, rerolled 1, raised 2; 3d6r1mi3"),
    ("roll 2d6ma5!", (6, 5), {"total": 10}, "10, exploding; 2d6ma5! 5 5, lowered 6; 2d6ma5!"),
    ("roll 2d6mi6!", (1, 6, 6, 2, 3), {"total": 23}, "23, exploding; 2d6mi6! 6 6 6 2 3, raised 1; 2d6mi6!"),
    ("roll 3d6k2>=5", (5, 5, 5), {"successes": 2}, "2 successes; 5 5, dropped 5; 3d6k2>=5"),
    ("roll 3d6k1r6", (6, 6, 1, 2), {"total": 2}, "2; 3d6k1r6 2, dropped 6 1, rerolled 6; 3d6k1r6"),
    # GD-09: arithmetic
    ("roll 1d6+2*3", (4,), {"total": 10}, "10; 1d6 4; 1d6+2*3"),
    ("roll (1d6+2)*3", (4,), {"total": 18}, "18; 1d6 4; (1d6+2)*3"),
    ("roll 7-1d6-2", (4,), {"total": 1}, "1; 1d6 4; 7-1d6-2"),
    ("roll 7-(1d6-2)", (4,), {"total": 5}, "5; 1d6 4; 7-(1d6-2)"),
    ("roll 1d6/4", (1,), {"total": 0.25}, "0.25; 1d6 1; 1d6/4"),
    ("roll 1d6/3", (1,), {"total": 0.33}, "0.33; 1d6 1; 1d6/3"),
    ("roll 1d6/3*3", (1,), {"total": 1}, "1; 1d6 1; 1d6/3*3"),
    ("roll -1d7//2", (7,), {"total": -4}, "-4; 1d7 7; -1d7//2"),
    ("roll -(1d7//2)", (7,), {"total": -3}, "-3; 1d7 7; -(1d7//2)"),
    ("roll -1d7%3", (7,), {"total": 2}, "2; 1d7 7; -1d7%3"),
    ("roll 1d6*1.5", (3,), {"total": 4.5}, "4.5; 1d6 3; 1d6*1.5"),
    ("roll 1d6 − 0.25", (3,), {"total": 2.75}, "2.75; 1d6 3; 1d6-0.25"),
    ("roll 2d6 - -1", (3, 4), {"total": 8}, "8; 2d6 3 4; 2d6-(-1)"),
    ("roll +1d6", (3,), {"total": 3}, "3; 1d6 3; 1d6"),
    ("roll 8/2/2/1d2", (2,), {"total": 1}, "1; 1d2 2; 8/2/2/1d2"),
    ("roll 2d8-1d8*2", (1, 2, 8), {"total": -13}, "-13; 2d8 1 2 | 1d8 8; 2d8-1d8*2"),
    ("roll 10//(1d6-7)", (6,), {"total": -10}, "-10; 1d6 6; 10//(1d6-7)"),
    ("roll 10//(1d6r1-1)", (1, 2), {"total": 10}, "10; 1d6r1 2, rerolled 1; 10//(1d6r1-1)"),
    # GD-10: labels, in quotes, for forums take brackets for codes
    (
        "roll 2d6[fire] + 1d8[cold]",
        (1, 2, 8),
        {"total": 11},
        '11; 2d6 "fire" 1 2 | 1d8 "cold" 8; 2d6 "fire"+1d8 "cold"',
    ),
    ("roll 1d20+5[a  b]", (3,), {"total": 8}, '8; 1d20 3; 1d20+5 "a b"'),
    ("roll (1d6+1)[x; y]*2", (3,), {"total": 8}, '8; 1d6 3; (1d6+1) "x, y"*2'),
    # GD-11: repeats
    (
        "roll 3x 2d6k1",
        (1, 2, 3, 3, 6, 5),
        {"totals": [2, 3, 6]},
        "2, 3, 6; 2d6k1 2, dropped 1 | 2d6k1 3, dropped 3 | 2d6k1 6, dropped 5; 3x 2d6k1",
    ),
    ("roll 2x d6/4", (1, 4), {"totals": [0.25, 1]}, "0.25, 1; 1d6 1 | 1d6 4; 2x 1d6/4"),
    ("roll 2x3d6>=5", (5, 1, 1, 6, 6, 6), {"totals": [1, 3]}, "1, 3; 3d6>=5 5 1 1 | 3d6>=5 6 6 6; 2x 3d6>=5"),
    # GD-12: comments
    ("roll 1d6 # 5 of them", (3,), {"total": 3}, '3; 1d6 3; 1d6 "5 of them"'),
    ("roll 1d6 for glory", (3,), {"total": 3}, '3; 1d6 3; 1d6 "glory"'),
    ("roll 1d6#tight", (3,), {"total": 3}, '3; 1d6 3; 1d6 "tight"'),
    ("roll 4d8 force damage.", (3, 1, 1, 1), {"total": 6}, '6; 4d8 3 1 1 1; 4d8 "force damage"'),
    ("roll 2d6 - fire damage", (3, 1), {"total": 4}, '4; 2d6 3 1; 2d6 "fire damage"'),
    # GEN-02: what ends a sentence
    ("Roll 4d6.", (3, 1, 1, 1), {"total": 6}, "6; 4d6 3 1 1 1; 4d6"),
    ("roll 3d6?", (3, 1, 1), {"total": 5}, "5; 3d6 3 1 1; 3d6"),
    ("roll 1d6 !", (6,), {"total": 6}, "6; 1d6 6; 1d6"),
    ("roll 1d6+3!", (6,), {"total": 9}, "9; 1d6 6; 1d6+3"),
    # GD-15: adv and dis
    ("roll d20+5 adv", (3, 17), {"total": 22}, "22; 2d20k1 17, dropped 3; 2d20k1+5"),
    ("roll d20+5 dis", (3, 17), {"total": 8}, "8; 2d20kl1 3, dropped 17; 2d20kl1+5"),
    ("roll 1d4+1d20 adv", (2, 3, 17), {"total": 19}, "19; 1d4 2 | 2d20k1 17, dropped 3; 1d4+2d20k1"),
    ("roll (d20+2)*2 dis stealth", (3, 17), {"total": 10}, '10; 2d20kl1 3, dropped 17; (2d20kl1+2)*2 "stealth"'),
    ("roll d20mi10 adv", (3, 7), {"total": 10}, "10; 2d20k1mi10 10, dropped 3, raised 7; 2d20k1mi10"),
    ("roll 2x d20 adv", (3, 7, 1, 2), {"totals": [7, 2]}, None),
    # GD-15, GEN-14: called
    ("!roll 20", (13,), {"total": 13}, "13; 1d20 13; 1d20"),
    ("!r 20", (13,), {"total": 13}, "13; 1d20 13; 1d20"),
    ("!r 2d6+1", (1, 2), {"total": 4}, "4; 2d6 1 2; 2d6+1"),
    ("!roll 1 100", (57,), {"total": 57}, "57; 57; 1 100"),
    ("!roll 1 - 100", (), {"total": -99}, "-99; 1-100"),
    ("!roll (1-100)", (), {"total": -99}, "-99; 1-100"),
    ("!roll 5 12", (7,), {"total": 7}, "7; 7; 5 12"),
    ("!roll 5 12", (12,), {"total": 12}, "12; 12; 5 12"),
    ("!roll -5 5", (-5,), {"total": -5}, "-5; -5; -5 5"),
    ("!roll 3+4", (), {"total": 7}, "7; 3+4"),
    ("!roll (20)", (), {"total": 20}, "20; 20"),
]


@pytest.mark.parametrize(("text", "faces", "values", "reply"), THROWS)
def test_scripted_throws(say, text, faces, values, reply):
    """GD-01…GD-15: values and line of one throw each."""
    answer = say(text, *faces)
    assert "error" not in answer, answer
    assert answer["values"] == values
    assert answer["labels"] == []
    assert reply is None or line(answer) == f"alice: {reply}"
    assert answer["kind"] == ("roll" if faces else "check")


QUESTIONS = [
    ("roll 1d20+5 >= 15", (10,), "success", 15, 15, "Success, 15 >= 15; 1d20 10; 1d20+5 >= 15"),
    ("roll 1d20+5 >= 15", (9,), "failure", 14, 15, "Failure, 14 is not >= 15; 1d20 9; 1d20+5 >= 15"),
    ("roll 3d6 < 11", (5, 5, 1), "failure", 11, 11, "Failure, 11 is not < 11; 3d6 5 5 1; 3d6 < 11"),
    ("roll 3d6 ≤ 11", (5, 5, 1), "success", 11, 11, "Success, 11 <= 11; 3d6 5 5 1; 3d6 <= 11"),
    ("roll 3d6 = 11", (5, 5, 1), "success", 11, 11, "Success, 11 = 11; 3d6 5 5 1; 3d6 = 11"),
    ("roll 3d6 = 11", (5, 5, 2), "failure", 12, 11, "Failure, 12 is not 11; 3d6 5 5 2; 3d6 = 11"),
    ("roll 3d6 != 11", (5, 5, 1), "failure", 11, 11, "Failure, 11 is not <> 11; 3d6 5 5 1; 3d6 <> 11"),
    ("roll 3d6 <> 11", (5, 5, 2), "success", 12, 11, "Success, 12 <> 11; 3d6 5 5 2; 3d6 <> 11"),
    ("roll 1d6 > 1d8", (5, 4), "success", 5, 4, "Success, 5 > 4; 1d6 5 | 1d8 4; 1d6 > 1d8"),
    ("roll 1d6/4 > 0.75", (3,), "failure", 0.75, 0.75, "Failure, 0.75 is not > 0.75; 1d6 3; 1d6/4 > 0.75"),
    ("roll 3d6>4 >= 2", (5, 5, 1), "success", 2, 2, "Success, 2 >= 2; 3d6>4 5 5 1; 3d6>4 >= 2"),
    ("roll (1d6+1)*2 > 4 nice", (2,), "success", 6, 4, 'Success, 6 > 4; 1d6 2; (1d6+1)*2 > 4 "nice"'),
    ("roll d20 >= 15 adv", (3, 16), "success", 16, 15, "Success, 16 >= 15; 2d20k1 16, dropped 3; 2d20k1 >= 15"),
]


@pytest.mark.parametrize(("text", "faces", "label", "left", "right", "reply"), QUESTIONS)
def test_gd_13_a_question_is_answered(say, text, faces, label, left, right, reply):
    """GD-13: a comparison with spaces around it shows both values, and success or failure."""
    answer = say(text, *faces)
    assert (answer["labels"], answer["values"]) == ([label], {"left": left, "right": right})
    assert line(answer) == f"alice: {reply}"


def test_every_die_is_given_in_draw_order(say):
    """GD-01, GD-04, GD-05: raw faces, whatever became of them; listed faces have no sides."""
    dice = say("roll 3d6!r1k1 + 2dF", 6, 1, 2, 3, 5, -1, 1)["dice"]
    assert [(die["sides"], die["face"], die["kept"]) for die in dice] == [
        (6, 6, True),
        (6, 1, False),
        (6, 2, False),
        (6, 3, False),
        (6, 5, False),
        (0, -1, True),
        (0, 1, True),
    ]
    assert [die["kept"] for die in say("roll 4d6k3", 5, 1, 6, 5)["dice"]] == [True, False, True, True]
    assert [die["kept"] for die in say("roll 2d6r1", 1, 4, 5)["dice"]] == [False, True, True]  # the first is replaced
    assert {die["role"] for die in dice} == {"dice"}
    assert [say(f"!roll {text}", 7)["dice"][0]["sides"] for text in ("1 100", "5 12")] == [100, 0]


def test_gd_14_explosions_stop_at_the_limit(say):
    """GD-14: 1,000 dice in one command, and the reply says that it stopped there."""
    answer = say("roll 7d2!", *(2,) * 1000)
    assert answer["values"] == {"total": 2000}
    assert line(answer) == "alice: 2000, exploding; 7d2! 2x1000, stopped at 1000 dice; 7d2!"
    answer = say("roll 99d2!! + 99d6", *(2,) * 901, *(1,) * 99)
    assert answer["values"] == {"total": 1901}
    answer = say("roll 1d6r<6", *(1,) * 1000)
    assert answer["values"] == {"total": 1}
    answer = say("roll 7d2! > 99d6", *(2,) * 901, *(1,) * 99)
    assert answer["values"] == {"left": 1802, "right": 99}
    assert say("roll 10//(1d6r1-1)", *(1,) * 1000)["error"] == "the divisor came to zero."


def test_gd_11_many_totals_are_told_by_their_range(say):
    """GD-11: each of them in up to 140 characters, else the lowest and the highest."""
    short = [10_000] * 18 + [100_000] * 2
    assert line(say("roll 20x 1d1000000", *short)).startswith(f"alice: {', '.join(map(str, short))};")
    longer = [100_000, *short[1:]]
    assert line(say("roll 20x 1d1000000", *longer)).startswith("alice: 20 totals from 10000 to 100000;")


def test_over_thirty_dice_are_counted(say):
    """GD-01: as everywhere, over 30 dice are given as counts by face."""
    assert line(say("roll 32d6k31", *(5, 2) * 16)) == "alice: 110; 32d6k31 5x16 2x15, dropped 2x1; 32d6k31"
    assert line(say("roll 31d6!!", *(1,) * 30, 6, 2)) == "alice: 38, exploding; 31d6!! 6+2x1 1x30; 31d6!!"


def test_no_reply_is_too_long(evaluate):
    """GD-14: 400 bytes at most, whatever is asked."""
    for text in (
        f"roll {'+'.join(['1d6[ééééééééé]'] * 25)}",
        f"roll 20x 50d6!{'+123456789' * 30}",
        f"roll 1d{{{','.join(str(n) for n in range(100))}}}+99d1000000",
        "roll 20x 2d1000000*9999999/7",
        f"roll 1d6 # {'é' * 300}",
    ):
        answer = evaluate({"text": text, "who": "x" * 30})
        assert "error" not in answer, answer
        assert len(answer["reply"].encode()) <= 400


@pytest.mark.parametrize("text", ["!roll -1/1000", "roll -0.004*1d1"])
def test_what_rounds_to_zero_has_no_minus(evaluate, text):
    """GD-09: at most two decimals, and no `-0` among them."""
    answer = evaluate({"text": text})
    assert str(answer["values"]["total"]) == "0"
    assert answer["reply"].startswith("player: 0;")
