"""An evening of each game: two players and a storyteller, with what a table keeps beside the dice (desk.md)."""

import pytest
from playing import check_script

EVENINGS = {
    # V5-03…V5-22: Hunger rises until 5; Willpower, a contest, a secret roll.
    "v5": """
        sam*: !scene Elysium
            sam: scene 1, Elysium, opens; id 1
        alice: !play Viktor
            alice: plays Viktor; id 2
        bob: !play Mina
            bob: plays Mina; id 4
        sam*: !npc Warden
            sam: Warden is a character of this channel; id 6
        alice: !track hunger 2
            Viktor: hunger 2; id 7
        alice: !track willpower 5
            Viktor: willpower 5/5; id 8
        alice: !track strength 3
            Viktor: strength 3; id 9
        bob: !track hunger 1
            Mina: hunger 1; id a
        alice: !macro punch = v5 {strength}+2 h dc2
            alice: macro punch is "v5 {strength}+2 h dc2"; id b
        alice: !init +3 | 8 50
            Viktor (alice): initiative 11; 8+3; tie-break 50; init Viktor +3; id c
        sam*: !init Warden +2 | 7 20
            Warden (sam): initiative 9; 7+2; tie-break 20; init Warden +2; id d
        alice: !init next
            Viktor (alice) acts, initiative 11; then Warden; id e
        alice: !punch # the door | 7 10 3 10 1
            Viktor (alice): Messy critical, 5 successes vs 2, margin +3; 7 10 3, hunger 10 1; v5 3+2 h2 dc2 "the door";
                    id f
        alice: rouse | 3
            Viktor (alice): Hunger rises by 1; hunger 3 (was 2); rouse 3; id g
        alice: roll 5d10 h dc3 | 6 2 4 1 8
            Viktor (alice): Bestial failure, 2 successes vs 3, margin -1; 6 2, hunger 4 1 8; 5d10 h3 dc3; id j
        alice: wp | 9
            Viktor (alice): Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; willpower 4/5 (was 5); 6
                    9, hunger 4 1 8, rerolled 2 as 9; wp on j; id k
        alice: wp
            (alice) Not rolled: Willpower was spent on #j already: once a roll.
        alice: rouse 2 | 5 9
            Viktor (alice): Hunger rises by 1; hunger 4 (was 3); rouse 5 9; id n
        alice: rouse | 1
            Viktor (alice): Hunger rises by 1; hunger 5 (was 4); rouse 1; id q
        alice: rouse | 2
            Viktor (alice): Hunger is 5 and cannot rise; rouse 2; id s
        bob: roll 4d10 h vs @Viktor | 8 6 2 3
            Mina (bob) vs Viktor: 4d10 h1 is rolled and covered. Viktor: answer "roll 5d10 h1" or "pass" within 15 min;
                    id t
        alice: roll 5d10 h | 9 1 2 3 10
            Mina (bob) vs Viktor (alice): Mina wins, 2 successes to 2, a tie, Viktor bestial failure; Mina 8 6 2, hunger
                    3; Viktor hunger 9 1 2 3 10; 4d10 h1 vs 5d10 h5; id v
            (bob) You may still spend Willpower: "wp #v" rerolls 2.
        alice: wp
            (alice) Not rolled: every die of that roll is a Hunger die: none can be rerolled.
        bob: wp | 1
            Mina (bob) vs Viktor (alice): Mina wins, 2 successes to 2, a tie, Viktor bestial failure; costs Mina 1
                    superficial Willpower; Mina 8 6 1, hunger 3, rerolled 2 as 1; Viktor hunger 9 1 2 3 10; wp on v; id
                    w
        sam* in private: secret roll 4d10 h0 dc2 in #FU_Dice | 7 8 2 3
            sam: the storyteller rolls in secret; id x
            (sam) for you alone, #x: sam: Success, 2 successes vs 2, margin 0; 7 8 2 3; 4d10 h0 dc2; "reveal #x" in
                    #FU_Dice shows it
        bob: !log scene
            (bob) Elysium (#FU_Dice, scene 1)
            (bob) Viktor (alice): initiative 11; 8+3; tie-break 50; init Viktor +3; id c
            (bob) Warden (sam): initiative 9; 7+2; tie-break 20; init Warden +2; id d
            (bob) Viktor (alice): Messy critical, 5 successes vs 2, margin +3; 7 10 3, hunger 10 1; v5 3+2 h2 dc2 "the
                    door"; id f
            (bob) Viktor (alice): Hunger rises by 1; hunger 3 (was 2); rouse 3; id g
            (bob) Viktor (alice): Bestial failure, 2 successes vs 3, margin -1; 6 2, hunger 4 1 8; 5d10 h3 dc3; id j
            (bob) Viktor (alice): Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; willpower 4/5 (was
                    5); 6 9, hunger 4 1 8, rerolled 2 as 9; wp on j; id k
            (bob) Viktor (alice): Hunger rises by 1; hunger 4 (was 3); rouse 5 9; id n
            (bob) Viktor (alice): Hunger rises by 1; hunger 5 (was 4); rouse 1; id q
            (bob) Viktor (alice): Hunger is 5 and cannot rise; rouse 2; id s
            (bob) Mina (bob) vs Viktor (alice): Mina wins, 2 successes to 2, a tie, Viktor bestial failure; Mina 8 6 2,
                    hunger 3; Viktor hunger 9 1 2 3 10; 4d10 h1 vs 5d10 h5; id v
            (bob) Mina (bob) vs Viktor (alice): Mina wins, 2 successes to 2, a tie, Viktor bestial failure; costs Mina 1
                    superficial Willpower; Mina 8 6 1, hunger 3, rerolled 2 as 1; Viktor hunger 9 1 2 3 10; wp on v; id
                    w
        sam*: reveal #last
            sam: #x is revealed; sam: Success, 2 successes vs 2, margin 0; 7 8 2 3; 4d10 h0 dc2; sealed "roll 4d10 h0
                    dc2; d10 7 8 2 3" salt 0; id y
        alice: !hunger -2
            Viktor: hunger 3 (was 5); id z
        alice: !undo
            Viktor: hunger 5 (was 3); id 10
        bob: roll 2d10 h | 3 4
            Mina (bob): Failure, 0 successes; 3, hunger 4; 2d10 h1; id 11
        bob: !discard
            bob: #11 is discarded: it does not count and is not listed; id 12
        sam*: !init end
            sam: the order of initiative is over; id 13
        sam*: !scene end
            sam: scene 1, Elysium, is over; !log scene gives what was rolled; id 14
        alice: !log scene
            (alice) Elysium (#FU_Dice, scene 1)
            (alice) Viktor (alice): initiative 11; 8+3; tie-break 50; init Viktor +3; id c
            (alice) Warden (sam): initiative 9; 7+2; tie-break 20; init Warden +2; id d
            (alice) Viktor (alice): Messy critical, 5 successes vs 2, margin +3; 7 10 3, hunger 10 1; v5 3+2 h2 dc2 "the
                    door"; id f
            (alice) Viktor (alice): Hunger rises by 1; hunger 3 (was 2); rouse 3; id g
            (alice) Viktor (alice): Bestial failure, 2 successes vs 3, margin -1; 6 2, hunger 4 1 8; 5d10 h3 dc3; id j
            (alice) Viktor (alice): Success, 3 successes vs 3, margin 0; costs 1 superficial Willpower; willpower 4/5
                    (was 5); 6 9, hunger 4 1 8, rerolled 2 as 9; wp on j; id k
            (alice) Viktor (alice): Hunger rises by 1; hunger 4 (was 3); rouse 5 9; id n
            (alice) Viktor (alice): Hunger rises by 1; hunger 5 (was 4); rouse 1; id q
            (alice) Viktor (alice): Hunger is 5 and cannot rise; rouse 2; id s
            (alice) Mina (bob) vs Viktor (alice): Mina wins, 2 successes to 2, a tie, Viktor bestial failure; Mina 8 6
                    2, hunger 3; Viktor hunger 9 1 2 3 10; 4d10 h1 vs 5d10 h5; id v
            (alice) Mina (bob) vs Viktor (alice): Mina wins, 2 successes to 2, a tie, Viktor bestial failure; costs Mina
                    1 superficial Willpower; Mina 8 6 1, hunger 3, rerolled 2 as 1; Viktor hunger 9 1 2 3 10; wp on v;
                    id w
            (alice) sam: #x is revealed; sam: Success, 2 successes vs 2, margin 0; 7 8 2 3; 4d10 h0 dc2; sealed "roll
                    4d10 h0 dc2; d10 7 8 2 3" salt 0; id y
    """,
    # SC-02…SC-28: hits drain Luck, help and a cantrip are spent, a hit is disregarded, all is tracked.
    "strike_cinder": """
        alice: !play Viktor
            alice: plays Viktor; id 1
        alice: !track cantrips 3
            Viktor: cantrips 3; id 3
        sam*: sc encounter open Ghoul luck 6 dc 3 strike 5
            sam: the encounter opens, Ghoul Luck 6/6, DC 3, Strike 5; id 4
        alice: sc join arcanist rank IV exchange
            Viktor (alice): Viktor joins, Arcanist, Luck 7/7; id 6
        bob: !play Rex
            bob: plays Rex; id 7
        bob: sc join afflicted shifter rank 2
            Rex (bob): Rex joins, Afflicted Shifter, Luck 5/5; id 9
        sam*: !init Ghoul +2 | 7 50
            Ghoul (sam): initiative 9; 7+2; tie-break 50; init Ghoul +2; id a
        alice: !init +3 | 6 51
            Viktor (alice): initiative 9; 6+3; tie-break 51; init Viktor +3; id b
        bob: !init next
            Viktor (alice) acts, initiative 9; then Ghoul; id c
        bob: sc assist cinder 5 for Viktor | 4 5 6 2 4 4
            Rex (bob): Exceptional Success, 5 passes; gives assist2, +2 dice, to the recipient's next roll of that pool;
                    the helper makes no other roll that has an effect in this post; 4 5 6>4 2 4; assist cinder 5 for
                    Viktor; id d
        alice: sc cinder vs Ghoul fullmoon cantrip # Fire | 1 2 3 4 5 1 1 2 3 6 2
            Viktor (alice): Hit, Complete Success, 3 passes vs DC 3, drains 1 Luck, Ghoul Luck 5/6; assist2 of a helper
                    is in it, and spent; cantrips 2 (was 3); 1 2 3 4 5>6>2 1 1 2 3; cinder arcanist assist2 fullmoon
                    cantrip vs Ghoul "Fire"; id e
        bob: !init next
            Ghoul acts, initiative 9; then Viktor; id g
        sam*: sc strike vs Viktor as Ghoul | 4 4 1 1 1
            Ghoul (sam): Hit, Partial Failure, 2 passes vs DC 2, drains 1 Luck, Viktor Luck 6/7; 4 4 1 1 1; strike 5 vs
                    Viktor; id h
        bob: sc strike vs Ghoul # claws | 6 5 5 5 5 5 5 6 6 4
            Rex (bob): Critical hit, 10 passes vs DC 3, drains 2 Luck, Ghoul Luck 3/6; 6>6>6>4 5 5 5 5 5 5; strike
                    afflicted shifter vs Ghoul "claws"; id j
        alice: discard #last
            (alice) That roll is Rex (bob)'s: only they or a storyteller may discard it.
        bob: discard #last
            bob: #j is discarded: it does not count and is not listed; Ghoul Luck 5/6; id k
        alice: sc strike vs Ghoul | 1 2 3 3
            Viktor (alice): Miss, 0 passes vs DC 3; 1 2 3 3; strike arcanist vs Ghoul; id m
        bob: sc mind 5 | 4 4 4 1 1
            Rex (bob): Complete Success, 3 passes; 4 4 4 1 1; mind 5; id n
        alice: sc resist 5 | 4 5 1 2 3
            Rex (bob) vs Viktor (alice): Overcome, 3 passes to 2; Rex 4 4 4 1 1; Viktor 4 5 1 2 3; mind 5 vs 5; id p
        alice: sc luck Viktor -6
            Viktor (alice): Viktor Luck 0/7, out of Luck (was 6); id q
        bob: sc encounter close
            (bob) Only a storyteller or the one who opened the encounter may close it.
        bob: !macro claws = sc strike vs Ghoul
            bob: macro claws is "sc strike vs Ghoul"; id r
        bob: !claws dc2 | 1 1 1 1 1 4 5
            Rex (bob): Hit, Partial Failure, 2 passes vs DC 2, drains 1 Luck, Ghoul Luck 4/6; 1 1 1 1 1 4 5; strike
                    afflicted shifter vs Ghoul dc2; id s
        sam* in private: secret sc strike 5 dc2 in #FU_Dice | 4 4 1 1 1
            sam: the storyteller rolls in secret; id t
            (sam) for you alone, #t: sam: Success, 2 passes vs DC 2; 4 4 1 1 1; strike 5 dc2; "reveal #t" in #FU_Dice
                    shows it
        sam*: !init end
            sam: the order of initiative is over; id v
        sam*: sc leave Rex
            sam: Rex leaves the encounter; id w
        sam*: sc encounter close
            sam: the encounter is over; id x
        alice: sc tracking
            (alice) [note]Viktor [luck] 7, with skill rank 4 and Exchange Equipment
            (alice) Rex [luck] 5, with skill rank 2
            (alice) Rex [cinder], Exceptional Success
            (alice) [cantrip], Fire
            (alice) [cinder], Fire, hit, Complete Success, 3 passes vs. DC3, with assist2 and full moon
            (alice) Ghoul [strike] hit, 2 passes vs. DC2
            (alice) [strike] miss, 0 passes vs. DC3
            (alice) Rex [cinder], Complete Success, overcome
            (alice) [cinder], Partial Failure, overcome
            (alice) Rex [strike] hit, 2 passes vs. DC2[/note]
            (alice) [footnote]Viktor [luck] 0/7
            (alice) Rex [luck] 5/5, left
            (alice) Ghoul [luck] 4/6[/footnote]
    """,
    # XR-05…XR-25: a group across a bridge, Fate Dice, a blessing, a contest, damage.
    "crossroads": """
        sam*: !scene Bridge
            sam: scene 1, Bridge, opens; id 1
        alice: !play Viktor
            alice: plays Viktor; id 2
        bob: !play Mina
            bob: plays Mina; id 4
        alice: !track fate 0
            Viktor: fate 0; id 6
        sam*: !npc Troll
            sam: Troll is a character of this channel; id 7
        sam*: xr group open
            sam: group open: the Skill Rolls of others count from now on, until "xr group close"; group open; id 8
        alice: xr 3d6 | 6 5 4
            Viktor (alice): Success, value 1; total 15; 6 5 4; 3d6; id 9
        bob: xr a1 | 1 2 2 6
            Mina (bob): Partial Success or Compensating Failure (your choice); Change, may reroll one: "xr reroll 2", 3
                    or 4; total 10; 1 2 2 6, die 1 dropped; 3d6 a1; id a
        bob: xr reroll 2 | 6
            Mina (bob): Success, value 1; total 14; 1 6 2 6, die 1 dropped, rerolled 2 as 6; xr reroll 2 on a; id b
        sam*: xr group close
            sam: Success, result 1 from 1 1; group close; id c
        alice: xr 3d6 | 6 6 6
            Viktor (alice): Great Success, value 3; Fate's Child, value 1 more, gains a temporary Fate Die of Short
                    Duration; fate 1 (was 0); total 18; 6 6 6; 3d6; id d
        bob: xr fate Viktor
            Viktor holds 1 temporary Fate Die; tracked: fate 1.
        bob: xr vs @Viktor | 5 5 5
            Mina (bob) vs Viktor: 3d6 is rolled and covered. Viktor: answer "xr 3d6" or "pass" within 15 min; id f
        alice: xr 3d6 | 1 1 4
            Mina (bob) vs Viktor (alice): Great Success, result 2 is 1 less -1; Mina Fate's Blessing, a1 on Skill Rolls
                    until the end of the next turn; Viktor Misstep, value 1 less; Mina 15 from 5 5 5; Viktor 6 from 1 1
                    4; 3d6 vs 3d6; id g
        bob: xr n1 | 2 3 5 1
            Mina (bob): Partial Success or Compensating Failure (your choice); Fate's Blessing adds a1; total 9, 10 less
                    1; 2 3 5 1, die 4 dropped; 3d6 a1 n1; id h
        bob: xr endturn
            Mina (bob): turn ended; endturn; id j
        bob: xr endturn
            Mina (bob): turn ended, Fate's Blessing ends with it; endturn; id k
        alice: !xr fate spend
            Viktor (alice): spends a Fate Die; fate 0 (was 1); fate spend; id m
        bob: !xr fate spend
            (bob) No fate is left for Mina.
        sam* in private: secret xr 3d6 n2 in #FU_Dice | 4 4 4
            sam: the storyteller rolls in secret; id p
            (sam) for you alone, #p: sam: Partial Success or Compensating Failure (your choice); Change of Fate; total
                    10, 12 less 2; 4 4 4, made in secret, so it gives nothing; 3d6 n2; "reveal #p" in #FU_Dice shows it
        sam*: reveal #last
            sam: #p is revealed; sam: Partial Success or Compensating Failure (your choice); Change of Fate; total 10,
                    12 less 2; 4 4 4, made in secret, so it gives nothing; 3d6 n2; sealed "xr 3d6 n2; d6 4 4 4" salt 0;
                    id q
        alice: !macro leap = xr 3d6 a1
            alice: macro leap is "xr 3d6 a1"; id r
        alice: !leap b1 | 1 1 2 1
            Viktor (alice): Failure, value -1; Misstep, value stays -1; total 5, 4 plus 1; 1 1 2 1, die 4 dropped; 3d6
                    a1 b1; id s
        alice: xr 2d6 p1 av3 | 5 4
            Viktor (alice): Damage 7 after armour, total 9; 5 4; 2d6 p1 av3; id t
        alice: xr damage HHL a1b1
            Viktor (alice): 3 heavy, 1 light; damage 2h1l a1 b1; id v
        alice: !discard
            alice: #v is discarded: it does not count and is not listed; id w
        sam*: !scene end
            sam: scene 1, Bridge, is over; !log scene gives what was rolled; id x
        bob: !log scene
            (bob) Bridge (#FU_Dice, scene 1)
            (bob) Viktor (alice): Success, value 1; total 15; 6 5 4; 3d6; id 9
            (bob) Mina (bob): Partial Success or Compensating Failure (your choice); Change, may reroll one: "xr reroll
                    2", 3 or 4; total 10; 1 2 2 6, die 1 dropped; 3d6 a1; id a
            (bob) Mina (bob): Success, value 1; total 14; 1 6 2 6, die 1 dropped, rerolled 2 as 6; xr reroll 2 on a; id
                    b
            (bob) sam: Success, result 1 from 1 1; group close; id c
            (bob) Viktor (alice): Great Success, value 3; Fate's Child, value 1 more, gains a temporary Fate Die of
                    Short Duration; fate 1 (was 0); total 18; 6 6 6; 3d6; id d
            (bob) Mina (bob) vs Viktor (alice): Great Success, result 2 is 1 less -1; Mina Fate's Blessing, a1 on Skill
                    Rolls until the end of the next turn; Viktor Misstep, value 1 less; Mina 15 from 5 5 5; Viktor 6
                    from 1 1 4; 3d6 vs 3d6; id g
            (bob) Mina (bob): Partial Success or Compensating Failure (your choice); Fate's Blessing adds a1; total 9,
                    10 less 1; 2 3 5 1, die 4 dropped; 3d6 a1 n1; id h
            (bob) sam: #p is revealed; sam: Partial Success or Compensating Failure (your choice); Change of Fate; total
                    10, 12 less 2; 4 4 4, made in secret, so it gives nothing; 3d6 n2; sealed "xr 3d6 n2; d6 4 4 4" salt
                    0; id q
            (bob) Viktor (alice): Failure, value -1; Misstep, value stays -1; total 5, 4 plus 1; 1 1 2 1, die 4 dropped;
                    3d6 a1 b1; id s
            (bob) Viktor (alice): Damage 7 after armour, total 9; 5 4; 2d6 p1 av3; id t
    """,
    # FW-02…FW-13: wounds and a rest, clashes, a secret difficulty.
    "fayrewood": """
        sam*: !scene Old Mill
            sam: scene 1, Old Mill, opens; id 1
        alice: !play Wren
            alice: plays Wren; id 2
        bob: !play Oak
            bob: plays Oak; id 4
        sam*: !npc Wolf
            sam: Wolf is a character of this channel; id 6
        alice: !track wounds 0/3
            Wren: wounds 0/3; id 7
        alice: !track body 3
            Wren: body 3; id 8
        alice: !macro climb = toss {body} 2 dc7
            alice: macro climb is "toss {body} 2 dc7"; id 9
        alice: !climb | 5 4
            Wren (alice): Win, 9 vs 7 Moderate, margin +2; 5 4; d8 d6 dc7; id a
        alice: !climb boon dc4 | 5 2 1
            Wren (alice): Win, critical, 8 vs 4 Routine, margin +4; 5 2, boon 1; d8 d6 boon dc4; id b
        bob: toss 4 2 help 1 dc9 | 5 6
            Oak (bob): Win, 11 vs 9 Challenging, margin +2; 5 6, second die stepped up by help; d10 d8 dc9; id c
        alice: toss 3 2 frayed dc9 | 1 6 8
            Wren (alice): Win, fumble, 15 vs 9 Challenging, margin +6; costs a wound; wounds 1/3 (was 0); 1 6, frayed 8;
                    d8 d6 frayed dc9; id d
        bob: toss 3 2 dc2 | 1 1
            Oak (bob): Fail, catastrophic fumble, 2 vs 2, margin 0; 1 1; d8 d6 dc2; id f
        alice: toss 3 2 vs @Wolf | 4 5
            Wren (alice) vs Wolf: d8 d6 is rolled and covered. Wolf: answer "toss d8 d6" or "pass" within 15 min; id g
        sam*: toss 4 1 as Wolf | 6 2
            Wren (alice) vs Wolf (sam): Wren wins, 9 to 8, margin +1; Wren 4 5; Wolf 6 2; d8 d6 vs d10 d4; id h
        sam*: toss 4 1 vs @Oak as Wolf | 7 1
            Wolf (sam) vs Oak: d10 d4 is rolled and covered. Oak: answer "toss d8 d6" or "pass" within 15 min; id j
        bob: toss 2 2 bane | 6 5 3
            Wolf (sam) vs Oak (bob): Wolf wins, fumble, 8 to 8, a tie goes to the acting side, margin 0; Wolf 7 1; Oak 6
                    5, bane 3; d10 d4 vs d6 d6 bane; id k
        sam* in private: difficulty 9 for Oak in #FU_Dice
            (sam) a secret difficulty waits for Oak in #FU_Dice; "reveal #m" there tells it; id m
        bob: toss 4 2 | 5 3
            Oak (bob): Fail; 8 from 5 3; difficulty secret; d10 d6; id n
            (sam) for you alone, #n: Oak (bob): Fail, 8 vs 9 Challenging, margin -1; 5 3; d10 d6 dc9
        bob: odds toss 4 2
            odds toss d10 d6: fail and catastrophic fumble 1.7%, fumble if won 23.3%; total 2: 2%, 3: 3%, 4: 5%, 5: 7%,
                    6: 8%, 7: 10%, 8: 10%, 9: 10%, 10: 10%, 11: 10%, 12: 8%, 13: 7%, 14: 5%, 15: 3%, 16: 2%; average 9.0
        sam*: reveal #last
            sam: #m is revealed, difficulty 9 for Oak; Oak (bob): Fail, 8 vs 9 Challenging, margin -1; 5 3; d10 d6 dc9;
                    salt 0; id p
        alice: sweep 5 5 dc6
            Wren (alice): Sweep, half of 24 is 12, at least twice 6 Straightforward, margin 0, if the storyteller awards
                    it: not for combat; sweep d12 d12 dc6; id q
        alice: !wounds +3
            (alice) Wounds is 0 to 3, and that would be 4.
        alice: !wounds 0
            Wren: wounds 0/3 (was 1); id r
        alice: !undo
            Wren: wounds 1/3 (was 0); id s
        alice: toss 3up boon | 3 4
            Wren (alice): Total 7; 3, boon 4; d10 boon; id t
        alice: !discard #last wrong die
            alice: #t is discarded: it does not count and is not listed; "wrong die"; id v
        sam*: !scene end
            sam: scene 1, Old Mill, is over; !log scene gives what was rolled; id w
        bob: !log scene Old Mill md
            (bob) ## Old Mill (#FU_Dice, scene 1)
            (bob) - `Wren (alice): Win, 9 vs 7 Moderate, margin +2; 5 4; d8 d6 dc7; id a`
            (bob) - `Wren (alice): Win, critical, 8 vs 4 Routine, margin +4; 5 2, boon 1; d8 d6 boon dc4; id b`
            (bob) - `Oak (bob): Win, 11 vs 9 Challenging, margin +2; 5 6, second die stepped up by help; d10 d8 dc9; id
                    c`
            (bob) - `Wren (alice): Win, fumble, 15 vs 9 Challenging, margin +6; costs a wound; wounds 1/3 (was 0); 1 6,
                    frayed 8; d8 d6 frayed dc9; id d`
            (bob) - `Oak (bob): Fail, catastrophic fumble, 2 vs 2, margin 0; 1 1; d8 d6 dc2; id f`
            (bob) - `Wren (alice) vs Wolf (sam): Wren wins, 9 to 8, margin +1; Wren 4 5; Wolf 6 2; d8 d6 vs d10 d4; id
                    h`
            (bob) - `Wolf (sam) vs Oak (bob): Wolf wins, fumble, 8 to 8, a tie goes to the acting side, margin 0; Wolf 7
                    1; Oak 6 5, bane 3; d10 d4 vs d6 d6 bane; id k`
            (bob) - `Oak (bob): Fail; 8 from 5 3; difficulty secret; d10 d6; id n`
            (bob) - `sam: #m is revealed, difficulty 9 for Oak; Oak (bob): Fail, 8 vs 9 Challenging, margin -1; 5 3; d10
                    d6 dc9; salt 0; id p`
            (bob) - `Wren (alice): Sweep, half of 24 is 12, at least twice 6 Straightforward, margin 0, if the
                    storyteller awards it: not for combat; sweep d12 d12 dc6; id q`
    """,
    # B8-03…B8-08: a duel; attack and parry are each a contest of its own, and a tie goes to its target.
    "beat_eight": """
        sam*: !scene Cliffs
            sam: scene 1, Cliffs, opens; id 1
        alice: !play Inigo
            alice: plays Inigo; id 2
        bob: !play Westley
            bob: plays Westley; id 4
        alice: !track sword 4
            Inigo: sword 4; id 6
        alice: !macro thrust = b8 t{sword} a1 vs t0
            alice: macro thrust is "b8 t{sword} a1 vs t0"; id 7
        sam*: !channel initiative 2d6
            sam: initiative is 2d6 from now on; id 8
        alice: !init +1 | 5 4 30
            Inigo (alice): initiative 10; 5 4+1; tie-break 30; init Inigo +1; id 9
        bob: !init +2 | 5 3 31
            Westley (bob): initiative 10; 5 3+2; tie-break 31; init Westley +2; id a
        bob: !init next
            Westley (bob) acts, initiative 10; then Inigo; id b
        bob: b8 t3 a1 vs @Inigo # the attack | 4 3
            Westley (bob) vs Inigo: b8 t3 a1 is rolled and covered. Inigo: answer "b8 t3" or "pass" within 15 min; "the
                    attack"; id c
        alice: b8 t4 a1 x2 # the dodge | 5 3
            Westley (bob) vs Inigo (alice): Inigo wins, 11 to 11, a tie goes to the target; Westley 4 3, trait +3,
                    abilities +1; Inigo 5 3, trait +4, abilities +1, multitask -2; b8 t3 a1 vs t4 a1 x2 "the attack"
                    "the dodge"; id d
        alice: b8 t4 a1 x2 vs @Westley # the parry | 4 4
            Inigo (alice) vs Westley: b8 t4 a1 x2 is rolled and covered. Westley: answer "b8 t3" or "pass" within 15
                    min; "the parry"; id e
        bob: b8 t3 a1 # holds the blade | 4 3
            Inigo (alice) vs Westley (bob): Westley wins, 11 to 11, a tie goes to the target; Inigo 4 4, trait +4,
                    abilities +1, multitask -2; Westley 4 3, trait +3, abilities +1; b8 t4 a1 x2 vs t3 a1 "the parry"
                    "holds the blade"; id f
        alice: b8 t4 a1 vs @Westley # riposte | 1 1
            Inigo (alice) vs Westley: b8 t4 a1 is rolled and covered. Westley: answer "b8 t3" or "pass" within 15 min;
                    "riposte"; id g
        bob: b8 t3 | 2 1
            Inigo (alice) vs Westley (bob): Westley wins, Inigo rolls snake-eyes with further harm, 6 to 7; Inigo 1 1,
                    trait +4, abilities +1; Westley 2 1, trait +3; b8 t4 a1 vs t3 "riposte"; id h
        bob: b8 t3 vs t4 a1 | 6 6 6 5
            Westley (bob) vs other: Westley wins, Westley rolls double sixes with a further gain, 15 to 16; Westley 6 6,
                    trait +3; other 6 5, trait +4, abilities +1; b8 t3 vs t4 a1; id j
        bob: b8 t3 vs @Inigo | 5 5
            Westley (bob) vs Inigo: b8 t3 is rolled and covered. Inigo: answer "b8 t3" or "pass" within 15 min; id k
        alice: pass
            Westley (bob) vs Inigo (alice): Westley wins, Inigo does not resist; 5 5, trait +3; b8 t3 vs @Inigo; id m
        alice: !thrust # left hand | 6 2 3 3
            Inigo (alice) vs other: Inigo wins, 13 to 6; Inigo 6 2, trait +4, abilities +1; other 3 3; b8 t4 a1 vs t0
                    "left hand"; id n
        alice: !thrust x2 | 6 2 6 6
            Inigo (alice) vs other: other wins, other rolls double sixes with a further gain, 12 to 11; Inigo 6 2, trait
                    +4, abilities +1, multitask -2; other 6 6; b8 t4 a1 x2 vs t0; id p
        alice: b8 t4 severe # over the edge | 4 4
            Inigo (alice): Success, 9 beats 8; 4 4, trait +4, severe -3; b8 t4 severe "over the edge"; id q
        alice: b8 t4 severe +1
            (alice) Not rolled: difficulty is given twice: leave severe or +1 out.
        bob: b8 impossible t3 # fly
            Westley (bob): Impossible, nothing is rolled: the narrator decides; b8 t3 impossible "fly"; id r
        sam* in private: secret b8 t2 in #FU_Dice | 3 3
            sam: the storyteller rolls in secret; id s
            (sam) for you alone, #s: sam: Failure, 8 does not beat 8; 3 3, trait +2; b8 t2; "reveal #s" in #FU_Dice
                    shows it
        sam*: reveal #last
            sam: #s is revealed; sam: Failure, 8 does not beat 8; 3 3, trait +2; b8 t2; sealed "b8 t2; d6 3 3" salt 0;
                    id t
        alice: !sword +1
            Inigo: sword 5 (was 4); id v
        alice: !undo
            Inigo: sword 4 (was 5); id w
        alice: b8 t4 | 1 1
            Inigo (alice): Failure, snake-eyes with further harm, 6 vs 8; 1 1, trait +4; b8 t4; id x
        alice: !discard
            alice: #x is discarded: it does not count and is not listed; id y
        sam*: !init end
            sam: the order of initiative is over; id z
        sam*: !scene end
            sam: scene 1, Cliffs, is over; !log scene gives what was rolled; id 10
        bob: !log scene bbcode
            (bob) [b]Cliffs (#FU_Dice, scene 1)[/b]
            (bob) [code]
            (bob) Inigo (alice): initiative 10; 5 4+1; tie-break 30; init Inigo +1; id 9
            (bob) Westley (bob): initiative 10; 5 3+2; tie-break 31; init Westley +2; id a
            (bob) Westley (bob) vs Inigo (alice): Inigo wins, 11 to 11, a tie goes to the target; Westley 4 3, trait +3,
                    abilities +1; Inigo 5 3, trait +4, abilities +1, multitask -2; b8 t3 a1 vs t4 a1 x2 "the attack"
                    "the dodge"; id d
            (bob) Inigo (alice) vs Westley (bob): Westley wins, 11 to 11, a tie goes to the target; Inigo 4 4, trait +4,
                    abilities +1, multitask -2; Westley 4 3, trait +3, abilities +1; b8 t4 a1 x2 vs t3 a1 "the parry"
                    "holds the blade"; id f
            (bob) Inigo (alice) vs Westley (bob): Westley wins, Inigo rolls snake-eyes with further harm, 6 to 7; Inigo
                    1 1, trait +4, abilities +1; Westley 2 1, trait +3; b8 t4 a1 vs t3 "riposte"; id h
            (bob) Westley (bob) vs other: Westley wins, Westley rolls double sixes with a further gain, 15 to 16;
                    Westley 6 6, trait +3; other 6 5, trait +4, abilities +1; b8 t3 vs t4 a1; id j
            (bob) Westley (bob) vs Inigo (alice): Westley wins, Inigo does not resist; 5 5, trait +3; b8 t3 vs @Inigo;
                    id m
            (bob) Inigo (alice) vs other: Inigo wins, 13 to 6; Inigo 6 2, trait +4, abilities +1; other 3 3; b8 t4 a1 vs
                    t0 "left hand"; id n
            (bob) Inigo (alice) vs other: other wins, other rolls double sixes with a further gain, 12 to 11; Inigo 6 2,
                    trait +4, abilities +1, multitask -2; other 6 6; b8 t4 a1 x2 vs t0; id p
            (bob) Inigo (alice): Success, 9 beats 8; 4 4, trait +4, severe -3; b8 t4 severe "over the edge"; id q
            (bob) Westley (bob): Impossible, nothing is rolled: the narrator decides; b8 t3 impossible "fly"; id r
            (bob) sam: #s is revealed; sam: Failure, 8 does not beat 8; 3 3, trait +2; b8 t2; sealed "b8 t2; d6 3 3"
                    salt 0; id t
            (bob) [/code]
    """,
}


@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening(game):
    """DSK-01 to DSK-09, B8-08, FW-10, SC-28, V5-22, XR-10: as scripted, and again with a restart before each line."""
    check_script(EVENINGS[game], system=game)
