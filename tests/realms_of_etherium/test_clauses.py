"""The clauses of RULES.md in small positions."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight, count_moves_left
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.position_writer import encode_position
from realmtable.kit.rules import Position
from tests.example_tables import PlayedExample, read_examples
from tests.realms_of_etherium.helpers import ACT, amounts, list_texts, phase, play_on, tile_at, verbs, with_reserve

# Under each heading, examples: a position, then after `>` steps, then after `=>` what is so in the end (see FACTS).
# `ring:A,B` is a ring of Realms, `act` an open activation, and a word in capitals stands for the text given to it.
CLAUSES = """
w1 a hex has six sides
    mages=portal;portal/portal act => ways summon 0,-1 / 1,-1 / -1,0 / 1,0 / -1,1 / 0,1
w2 no Realm lies beyond the edge
    tiles=Portal@20,0;Quicken@19,0 mages=portal;portal/portal act => ways summon 20,-1 / 19,1
w4 two Portals count as two Realms
    TWO := tiles=Portal@0,0;Portal.2@1,0;Channel@-1,0 mages=portal;portal/portal act
    TWO => can summon 0,1
    TWO options=portals_touch_as_one=on => cannot summon 0,1
w5 all Portals are one place but do not join their neighbours
    FAR := tiles=Portal@0,0;Quicken@1,0;Portal.2@5,0;Channel@5,1
    FAR mages=portal;portal/portal act => ways to 1,0 / 5,1
    FAR mages=1,0;portal/portal act => ways to portal
w6 Portal and Disruption are types
    tiles=Portal@0,0;Portal.2@1,-1;Disruption@0,1;Diversity@1,0:1 mages=portal/portal => points 2
w8 a Realm that holds the world together stays
    HELD := tiles=Portal@2,0;Channel@-1,0;Condense@-2,0;Draw@-2,1;Gather@0,0;Harvest@1,0;Shift@2,-1
    HELD mages=0,0;portal/portal;portal act > to 1,0 => on 0,0 Gather
u2 what does not fit is not gained
    ring:Channel,Shift mages=portal;portal/portal act etherium=19.0/0.0 > to 1,0 => 1 has 20.0
u4 the starting player is drawn last
    mages=portal/portal phase=refill turn=0 supply=victory reserve=Draw;Shift;Lessen;Accord;Bond > reveal Network => legal first 1 / first 2
u6 r7 play goes clockwise from the starting player
    mages=portal/portal/portal phase=first > first 3 => phase act 3
    mages=portal/portal/portal phase=first > first 3; end => phase act 1
r1 a player without Mages that can act is skipped
    ring:Quicken mages=portal;1,0/portalx act > end => -round; phase act 1; active=2
r2 nothing is compulsory and any order is allowed
    FREE := ring:Gather mages=1,0;portal/portal act etherium=1.1/0.0
    FREE => can end; can control; can to portal
    FREE > control => can to portal
r3 r6 a Round ends when all are Exhausted
    ring:Quicken mages=portal/portalx act > end => round=2; phase act 2
r6 in the next Round all Mages stand up
    ring:Quicken mages=portal/portalx;portalx act > end => round=2; 1 in portal; 2 in portal;portal
r4 an Exhausted Mage loses its activation
    ring:Paralyze;Gather@-1,1 mages=portal;portal/0,1;-1,1 etherium=0.1/0.0 act > to 1,0; use => 2 in 0,1x;-1,1; phase act 2; active=2
r5 an activation goes on after Paralyze
    ring:Displace,Paralyze mages=1,0;portal/1,0 etherium=1.0/0.1 act > displace; push 2.1 to 0,1; use => 1 in 1,0x;portalx; phase act 1; can to portal
r7 turn order begins with the active player
    TURN := ring:Displace mages=1,0;portal/1,0;1,0/1,0 seat=2 act etherium=0.0/1.0/0.0
    TURN > displace => owner=2
    TURN > displace; next => owner=3
    TURN > displace; next; next => owner=1
    TURN > displace; next; next; next => -owner
m1 from Portal to Portal is no move
    tiles=Portal@0,0;Portal.2@1,0;Channel@0,1 mages=portal;portal/portal act => ways to 0,1
m2 a summoned Realm touches the Mage's Realm and another one
    ring:Quicken mages=1,0;portal/portal act => ways summon 2,-1 / 1,1
m4 a drawn tile goes to the declared hex
    IN := ring:Quicken mages=1,0;portal/portal act
    IN > summon 1,1; draw realm => phase draw chance
    IN > summon 1,1; draw realm; reveal Gather => on 1,1 Gather
m5 the Reserve is refilled before the Mage enters
    OPEN := ring:Quicken mages=portal;portal/portal act
    OPEN > summon -1,1; take Draw => phase refill chance; on -1,1 Draw; 1 in portal;portal
    OPEN > summon -1,1; take Draw; reveal Gather => 1 in -1,1x;portal
m6 a Portal summoned from the Portal is not entered
    OPEN := ring:Quicken mages=portal;portal/portal act reserve=Portal;Draw;Gather
    OPEN > summon -1,1; take Portal => phase refill chance
    OPEN > summon -1,1; take Portal; reveal Harvest => 1 in portalx;portal; phase act 2
m7 a large Reserve is not reduced or refilled
    LARGE := reserve=Draw;Gather;Shift;Swap;Lessen;Accord;Bond;Network
    ring:Quicken mages=portal;portal/portal act LARGE > summon -1,1; take Lessen => phase act 2; stock 7
m8 three Disruptions return to the Supply
    THREE := ring:Quicken mages=portal/portal phase=refill active=1 hex=0,1 reserve=Disruption;Disruption supply=realm
    THREE > reveal Disruption => phase refill chance; again=1; stock 0; weighs Disruption 6
    THREE again=10 > reveal Disruption => -again; reserve=Disruption;Disruption;Disruption
p2 a power works when a Mage enters but not where it starts
    ring:Channel,Shift mages=1,0;portal/portal > mage 1 => 1 has 0.0
    ring:Displace mages=1,0;portal/1,0 etherium=1.0/0.0 act > displace; push 2.1 to 0,1 => 2 has 2.0
p3 a power with a price is offered once and can be declined
    PRICE := ring:Conjure mages=portal;portal/portal act
    PRICE > to 1,0 => phase act 2
    PRICE etherium=0.3/0.0 > to 1,0 => legal use / skip
    PRICE etherium=0.3/0.0 > to 1,0; skip => 1 has 0.3
p4 a Realm stays held when the Mage leaves it
    ring:Quicken,Shift mages=1,0;portal/portal act held=1,0 > to 0,1 => phase act 1; moves 1
p5 v2 a Lessen tile helps once
    LESS := ring:Displace,Lessen,Transfer mages=1,0;0,1x;1,-1;portal/1,0 act
    LESS > displace; next => can transfer 2
    LESS options=once_per_tile=activation > displace; next => cannot transfer
p6 Lessen does not help with other colours
    OTHER := options=manifest=conjure.use:1/0;conjure.colour:blue
    ring:Conjure,Lessen mages=portal;0,1/portal etherium=1.0/0.0 act OTHER > to 1,0; use => 1 has 0.0
p7 a gain of nothing triggers nothing
    GAIN := ring:Condense,Propagate,Shift mages=portal;0,1/portal act
    GAIN etherium=0.20/0.0 > to 1,0 => 1 has 0.20
    GAIN > to 1,0 => 1 has 2.1
p8 v1 one Realm reacts
    REACT := ring:Condense,Generate,Propagate mages=portal;0,1;1,-1/portal act
    REACT > to 1,0 => 1 has 2.2
    REACT options=one_gain_power=on > to 1,0 => phase react 1; legal react Generate / react Propagate
    REACT options=one_gain_power=on > to 1,0; react Propagate => 1 has 2.1
p9 Protection needs a tile and its price
    ASK := ring:Displace,Protection act
    ASK etherium=1.0/1.0 mages=1,0;portal/1,0;0,1 > displace; push 2.1 to portal => phase protect 2
    ASK etherium=1.0/0.0 mages=1,0;portal/1,0;0,1 > displace; push 2.1 to portal => phase act 1
    ASK etherium=1.0/1.0 mages=1,0;portal/1,0;portal > displace; push 2.1 to portal => phase act 1
p10 a Realm is held before its power is resolved
    ring:Conjure mages=portal;portal/portal act etherium=0.3/0.0 > to 1,0 => phase enter 1; moved=1; held=1,0
t1 a Mage in the Portal is in all Portals
    ring:Quicken;Portal.2@5,0;Shift@5,1 mages=portal;portal/portal act => can summon 4,1; can summon 6,0; can summon -1,1
t2 v4 the Displace is finished before the activation ends
    PUSH := ring:Displace,Disruption,Protection etherium=1.1/1.0 act mages=1,0;1,0;portal/1,0;portal options=displace_self=on
    PUSH > displace; push 1.1 to 0,1 => ending; phase push 1
    PUSH > displace; push 1.1 to 0,1; next; next => phase mage 2
t2 an Exhausted Mage is not disrupted
    PUSH := ring:Displace,Disruption,Protection mages=1,0;portal/1,0x;1,-1 etherium=1.0/2.0 act
    PUSH > displace; push 2.1 to 0,1; skip => phase act 1
t3 gains on entering
    ring:Channel,Swap,Shift mages=portal;portal/portal act > to 1,0 => 1 has 2.0
    ring:Condense,Channel,Draw mages=portal;portal/portal act > to 1,0 => 1 has 0.1
    ring:Draw,Lessen,Generate mages=portal;portal/portal act > to 1,0 => 1 has 2.0
t4 Conjure brings an Exhausted Mage
    ring:Conjure mages=portal/portal act etherium=0.3/0.0 > to 1,0; use => 1 in 1,0x;1,0x; 1 has 0.0
t5 y6 Lessen and Green lower the price of Black
    MAKE := ring:Transmute,Lessen etherium=5.0/0.0 act options=player_powers=on,once_per_tile=activation
    MAKE mages=portal;portal/portal colours=Red/Blue > to 1,0; make 2 black => 1 has 1.2
    MAKE mages=portal;portal/portal colours=Green/Blue > to 1,0; make 2 black => 1 has 2.2
    MAKE mages=portal;0,1/portal colours=Red/Blue > to 1,0; make 2 black => 1 has 2.2
t5 Black into White up to the limit
    FULL := ring:Transmute mages=portal;portal/portal etherium=17.9/0.0 act
    FULL > to 1,0 => can make 2 white; can make 4 white; cannot make 6 white
    FULL > to 1,0; make 4 white => 1 has 20.7
t5 v1 a conversion is a gain
    MAKE := ring:Transmute,Generate,Propagate mages=portal;0,1;1,-1/portal etherium=2.0/0.0 act
    MAKE options=one_gain_power=on > to 1,0; make 1 black => phase react 1
t6 p9 a pushed Mage may buy Protection
    PUSH := ring:Displace,Disruption,Protection etherium=1.1/1.0 act mages=1,0;portal/1,0;1,-1;portal
    PUSH > displace => legal push 2.1 to 1,-1 / push 2.1 to 0,1 / push 2.1 to portal / next
    PUSH > displace; push 2.1 to 0,1 => phase protect 2; written
    PUSH > displace; push 2.1 to 0,1; protect => 2 has 0.0; phase act 1
    PUSH > displace; push 2.1 to 0,1; skip => phase protect 2; 2 in 0,1;1,-1;portal
    PUSH > displace; push 2.1 to 0,1; skip; skip => 2 in 0,1x;1,-1;portal
    PUSH > displace; push 2.1 to 0,1; skip; protect => 2 in 0,1;1,-1;portal
t6 without an adjacent place no Mage is pushed
    ALONE := tiles=Portal@0,0;Displace@3,0 mages=3,0;portal/3,0;portal phase=push active=1 displace=3,0 owner=2
    ALONE options=displace_by=owner => legal next
t7 a pushed Mage gets no activation
    PUSH := ring:Displace,Quicken mages=1,0;portal/1,0;portal etherium=1.0/9.9 act
    PUSH > displace; push 2.1 to 0,1 => phase act 1; active=1; -moved; cannot displace
t8 Lessen lowers the price of Protection
    PUSH := ring:Displace,Protection,Lessen etherium=1.0/1.0 act
    PUSH mages=1,0;portal/1,0;0,1;1,-1 > displace; push 2.1 to portal; protect => 2 has 1.0
    PUSH mages=1,0;portal/1,0;0,1;portal > displace; push 2.1 to portal; protect => 2 has 0.0
t9 each Quicken tile adds a move
    ring:Quicken,Quicken.2 mages=1,0;0,1;portal/portal act => moves 3
    ring:Quicken,Quicken.2 mages=1,0;1,0;portal/portal act => moves 2
    ring:Quicken,Quicken.2 mages=portal;portal;portal/portal act => moves 1
t10 a Transfer goes to an Exhausted Mage
    LINE := ring:Transfer mages=1,0;0,1x;portal/portal act held=1,0 etherium=1.0/0.0
    LINE => ways transfer 2
    LINE > transfer 2 => 1 in 1,0x;0,1x;portal; active=2; received; 1 has 0.0; can to portal
t11 Paralyze asks for Protection first
    LINE := ring:Paralyze,Protection,Channel mages=portal/0,1;1,-1;portal etherium=0.1/1.0 act
    LINE > to 1,0; use; protect => 2 in 0,1;1,-1x;portalx
    LINE options=displace_self=on > to 1,0; use; skip; skip; skip => round=2
    LINE colours=Red/Blue options=player_powers=on,paralyze_guard=on > to 1,0 => phase mage 2
t12 Shift moves a Realm to a hex that touches two
    SHIFT := ring:Shift;Affinity@2,-1 mages=portal;portal/portal etherium=3.0/0.0 act
    SHIFT > to 1,0 => can shift 2,-1
    SHIFT > to 1,0; shift 2,-1 => phase put 1; 1 has 2.0; can put 1,1
    SHIFT > to 1,0; shift 2,-1; put 1,1 => on 1,1 Affinity; on 2,-1 nothing
t13 Swap exchanges two Realms with their Mages
    SWAP := ring:Swap;Affinity@2,-1 mages=portal;portal/0,1 etherium=3.0/0.0 act
    SWAP > to 1,0; swap 0,1; with 2,-1 => on 0,1 Affinity; on 2,-1 Channel; 2 in 2,-1; 1 has 1.0
t14 what was moved in the turn before stays
    SHIFT := ring:Shift;Affinity@2,-1 mages=portal;portal/portal etherium=3.0/0.0 act
    SHIFT before=2,-1 > to 1,0 => cannot shift 2,-1
    SHIFT triggered > to 1,0 => cannot shift 2,-1
    SHIFT > to 1,0; shift 2,-1; put 1,1 => before=1,1
t15 Tribute takes from each adjacent Mage
    LINE := ring:Tribute,Protection,Lessen mages=portal;1,-1/0,1;portal;portal etherium=0.0/2.2 act
    LINE > to 1,0 => phase protect 2
    LINE > to 1,0; skip; collect black; skip; collect white; skip; skip => 1 has 1.1; 2 has 1.1
    LINE > to 1,0; skip; collect white; protect; collect black => 1 has 1.1; 2 has 0.1
    PLAIN := ring:Tribute mages=portal/portal;portal etherium=1.0/0.2 act
    PLAIN > to 1,0; collect black => 1 has 0.1
    PLAIN colours=Orange/Red options=player_powers=on > to 1,0; collect black; collect black => 1 has 1.2
t15 v2 a Lessen tile pays once per activation
    LINE := ring:Tribute,Lessen mages=portal;0,1/portal;portal etherium=0.0/0.2 act options=once_per_tile=activation
    LINE > to 1,0; collect black => 1 has 0.1
t16 gaining Realms
    ring:Condense,Generate,Shift mages=portal;0,1/portal act > to 1,0 => 1 has 0.2
    ring:Channel,Multiply,Shift mages=portal;0,1/portal act > to 1,0 => 1 has 3.0
    ring:Condense,Propagate,Shift mages=portal;0,1/portal act > to 1,0 => 1 has 2.1
t17 Lessen makes powers cheaper
    ring:Displace,Lessen mages=1,0;0,1/1,0 act => can displace
    ring:Displace,Lessen mages=1,0;portal/1,0 act => cannot displace
t18 Streamline makes Control cheaper also of itself
    ring:Streamline mages=1,0;portal/portal act etherium=1.0/0.0 > control => 1 has 0.0
c1 Control is paid and marked
    ring:Channel,Shift mages=1,0;portal/portal act etherium=3.1/0.0 > control => 1 has 1.1; on 1,0 Channel:1
c2 what Control needs
    LINE := act etherium=9.9/0.0
    ring:Channel,Shift mages=1,0;portal/1,0 LINE => cannot control
    ring:Channel:2,Shift mages=1,0;portal/portal LINE => cannot control
    ring:Channel,Channel.2:1 mages=1,0;portal/portal LINE => cannot control
    ring:Disruption mages=1,0;portal/portal LINE => cannot control
c3 a price is never below nothing
    ring:Streamline,Streamline.2 mages=1,0;0,1/portal act etherium=1.2/0.0 > control => 1 has 0.2
c4 points are those of the present world
    AT := mages=portal/portal reserve=Draw
    tiles=Portal@0,0;Fluency@1,0:1;Channel@0,1;Shift@1,-1 AT => points 1
    tiles=Portal@0,0;Fluency@1,0:1;Channel@0,1;Condense@1,-1 AT => points 2
    tiles=Portal@0,0;Fluency@1,0:2;Channel@0,1;Shift@1,-1 AT => points 0
c5 adjacent Realms of a colour
    tiles=Portal@0,0;Rooting@1,0:1;Conjure@0,1;Transmute@1,-1;Conjure.2@-1,0 mages=portal/portal => points 2
c6 each Realm belongs to one pair
    PAIR := tiles=Portal@0,0;Bond@1,0:1;Generate@0,1;Multiply@1,-1;Conjure@2,-1
    PAIR mages=portal/portal reserve=Draw => points 2
    PAIR;Transmute@1,1 mages=portal/portal reserve=Draw => points 4
c7 c8 c9 points for what is connected, Controlled or of different types
    AT := mages=portal/portal
    tiles=Portal@0,0;Conjure@1,0;Transmute@1,-1;Transmute.2@2,-1;Modularity@0,1:1 AT => points 3
    tiles=Portal@0,0;Continuity@1,0:1;Channel@0,1:1;Condense@-1,1:1 AT => points 2
    tiles=Portal@0,0;Continuity@1,0:1;Channel@0,1:1;Condense@-1,1:2 AT => points 1
    tiles=Portal@0,0;Continuity@1,0:1;Channel@0,1:1;Condense@-1,1:2 AT options=controlled=any => points 2
    tiles=Portal@0,0;Continuity@1,0:1;Channel@0,1:2;Condense@-1,1:2 AT options=manifest=continuity.by:opponents => points 2
    tiles=Portal@0,0;Continuity@1,0:1;Channel@0,1:1;Condense@-1,1:2 AT options=lone_connected=off,manifest=continuity.by:opponents => points 0
    tiles=Portal@0,0;Antagonism@1,0:1;Channel@0,1:1;Condense@1,-1:2 AT => points 1
    tiles=Portal@0,0;Progression@1,0:1;Channel@0,1:1;Condense@-1,1:2 AT => points 2
    tiles=Portal@0,0;Diversity@1,0:1;Channel@0,1:1;Condense@-1,1:2 AT => points 2
c8 whose Control counts
    LINE := tiles=Portal@0,0;Sovereignty@1,0:1;Channel@0,1:1;Shift@1,-1:2 mages=portal/portal
    LINE => points 1
    LINE options=controlled=any => points 2
c9 types are counted once
    tiles=Portal@0,0;Diversity@1,0:1;Channel@0,1;Condense@1,-1 mages=portal/portal => points 2
d1 d3 a Realm that was left is Dispelled
    LEFT := tiles=Portal@0,0;Channel@1,0;Condense@0,1;Gather@1,-1;Harvest@2,-1
    LEFT mages=2,-1;portal/portal act > to 1,-1 => on 2,-1 nothing; stock 7
d1 a Realm is noted once in a row
    PUSH := ring:Displace etherium=1.0/0.0 act
    PUSH mages=1,0;1,0;1,0x;portal/portal > displace => can push 1.3 to 1,-1; can push 1.3 to 0,1; can push 1.3 to portal
    PUSH mages=1,0;1,0;1,0x;portal/portal > displace; push 1.2 to portal; push 1.3 to portal => left=1,0
    PUSH mages=1,0;1,0;1,0;portal/portal > displace => cannot push 1.3
d2 the first Realm stays and the second is Dispelled
    WORLD := tiles=Multiply@0,0;Transmute@1,0;Portal@0,1;Channel@1,1;Condense@2,0;Quicken@2,-1;Shift@3,-1;Swap@3,0
    WORLD mages=portal;portal/portal act left=1,0;2,-1 > end => on 1,0 Transmute; on 2,-1 nothing
d4 a Realm is Dispelled whether its player wants it or not
    LEFT := tiles=Portal@0,0;Channel@1,0;Condense@0,1;Gather@1,-1;Harvest@2,-1
    LEFT mages=2,-1;portal/portal;portal act > to 1,-1 => phase act 2; on 2,-1 nothing
e1 the end is triggered when points are reached
    ONE := ring:Fluency,Channel,Shift mages=1,0;portal/portal;portal act etherium=1.2/0.0
    ONE > control => -triggered
    ONE options=points=1 > control => triggered
e2 e3 e4 e5 how a game ends
    END := ring:Quicken mages=portal/portalx act
    END triggered etherium=1.0/0.0 > end => end=points
    END triggered round=60 > end => end=max_rounds
    END round=60 > end => end=max_rounds
    END triggered round=60 etherium=0.1/0.0 > end => end=points
    END steps=12000 > end => end=max_steps
    END triggered > end => -end
e3 a shared first place means another Round
    ring:Quicken mages=portal/portalx act triggered round=3 > end => round=4; phase act 2
e4 after the last Round equal players share the place, unless there is no limit
    END := ring:Quicken mages=portal/portalx act
    END round=60 > end => end=max_rounds
    END round=200 options=max_rounds=200 > end => phase over 1
    END round=200 options=max_rounds=0 > end => phase act 2; round=201
e5 the game ends when too many steps have been played
    ring:Quicken mages=portal;portal/portal act steps=11999 > end => end=max_steps
    ring:Quicken mages=portal;portal/portal act steps=11998 > end => -end
    tiles=Portal@9,9;Quicken@0,0 mages=0,0/0,0x act steps=11950 options=max_rounds=0 > end => end=max_steps
    LATE := tiles=Portal@0,0;Channel@1,0;Draw@1,-1;Gather@0,1 mages=portal;portal;portal/1,0;portal;portal round=2 turn=8
    LATE act steps=11998 options=max_rounds=0 > to 1,0 => end=max_steps; steps=12000
y1 Red reactions trigger Red Realms
    RED := ring:Condense,Multiply,Propagate mages=portal;0,1;1,-1/portal act options=player_powers=on
    RED colours=Red/Blue > to 1,0 => 1 has 3.1
    RED colours=Blue/Red > to 1,0 => 1 has 4.1
y2 Blue gains contain one more White
    LINE := mages=portal;portal/portal act options=player_powers=on
    ring:Condense,Shift,Swap LINE colours=Blue/Red > to 1,0 => 1 has 1.1
    ring:Condense,Shift,Swap LINE colours=Red/Blue > to 1,0 => 1 has 0.1
    ring:Draw,Shift,Swap LINE colours=Blue/Red > to 1,0 => 1 has 1.0
y3 Orange powers cost nothing
    LINE := ring:Paralyze mages=portal;portal/0,1 act options=player_powers=on
    LINE colours=Orange/Red > to 1,0 => phase enter 1
    LINE colours=Red/Orange > to 1,0 => phase act 2
y4 Control of a Purple Realm
    LINE := ring:Transfer mages=1,0;portal/portal etherium=2.1/0.0 act options=player_powers=on
    LINE colours=Purple/Blue => ways control save white / save black
    LINE colours=Purple/Blue > control save black => 1 has 0.1
    LINE colours=Red/Blue => can control; cannot control save
    LINE colours=Red/Blue > control => 1 has 0.0
y4 Purple powers cost one less
    LINE := ring:Displace mages=1,0/1,0;portal act colours=Purple/Blue
    LINE options=player_powers=on => can displace
    LINE options=player_powers=on,manifest=displace.use:0/1 => can displace
    LINE options=player_powers=on,manifest=displace.use:0/0 => can displace
y5 a discount on one colour needs no choice
    LINE := ring:Affinity mages=1,0;portal/portal etherium=2.2/0.0 act colours=Yellow/Blue
    LINE options=player_powers=on,manifest=affinity.control:2/0 > control => 1 has 1.2
    LINE options=player_powers=on,manifest=affinity.control:0/2 > control => 1 has 2.1
    LINE options=player_powers=on,manifest=affinity.control:0/0 > control => 1 has 2.2
y6 Green powers cost one
    LINE := ring:Conjure,Lessen mages=portal;0,1/portal act colours=Green/Blue
    LINE etherium=0.1/0.0 options=player_powers=on > to 1,0 => phase enter 1
    LINE etherium=1.0/0.0 options=player_powers=on,manifest=conjure.use:2/1 > to 1,0; use => 1 has 0.0
    LINE etherium=0.1/0.0 options=player_powers=on,manifest=conjure.use:1/0 > to 1,0; use => 1 has 0.1
v1 only one Realm reacts if the option is on
    LINE := ring:Condense,Generate,Propagate mages=portal;0,1;1,-1/portal act
    LINE options=one_gain_power=on > to 1,0; react Generate => 1 has 0.2
    LINE options=one_gain_power=off > to 1,0 => 1 has 2.2
v2 a tile can help once per activation
    LINE := ring:Quicken,Transmute,Lessen;Transmute.2@1,1 mages=1,0;1,-1/portal act etherium=5.0/0.0 held=1,0
    LINE > to 0,1; make 1 black; to 1,1; make 1 black => 1 has 3.2
    LINE options=once_per_tile=activation > to 0,1; make 1 black; to 1,1; make 1 black => 1 has 2.2
v2 p5 a Realm that has reacted counts as used
    LINE := ring:Condense,Propagate,Shift mages=portal;0,1/portal act
    LINE options=once_per_tile=activation > to 1,0 => phase act 1; 1 has 2.1; used=1@1,0;1@0,1
    LINE options=once_per_tile=power > to 1,0 => phase act 1; 1 has 2.1; used=1@1,0
v3 the owner chooses where a Mage goes
    PUSH := ring:Displace,Disruption,Protection etherium=1.1/1.0 act options=displace_by=owner
    PUSH mages=1,0;portal/1,0;1,-1;portal > displace; push 2.1; skip => phase target 2; legal to 1,-1 / to 0,1 / to portal
    PUSH mages=1,0;portal/1,0;1,-1;portal > displace; push 2.1; skip; to portal => 2 in portal;1,-1;portal
    PUSH mages=1,0;portal/1,0;1,-1;portal > displace; push 2.1 => phase protect 2; written
    PUSH mages=1,0;portal/1,0;portal > displace; push 2.1 => phase target 2
    ENTER := ring:Displace,Conjure mages=1,0;portal/1,0;portal etherium=1.0/0.3 act options=displace_by=owner
    ENTER > displace; push 2.1; to 0,1 => phase enter 2
v4 the active Mage may be pushed
    PUSH := ring:Displace mages=1,0;portal/1,0;portal act etherium=1.0/0.0
    PUSH options=displace_self=on > displace => can push 1.1
    PUSH > displace => cannot push 1.1; can push 2.1
v5 a Mage with a Transfer may not take Control
    LINE := ring:Transfer mages=1,0;0,1x;portal/portal act held=1,0 etherium=3.0/0.0
    LINE > transfer 2 => can control
    LINE options=transfer_control=off > transfer 2 => cannot control
v6 c7 a single Realm is connected
    LINE := tiles=Portal@0,0;Progression@1,0:1;Channel@0,1;Shift@1,-1 mages=portal/portal
    LINE => points 1
    LINE options=lone_connected=off => points 0
v7 Portals count as one for the first summoning
    LINE := tiles=Portal@0,0;Portal.2@1,0 mages=portal;portal/portal act
    LINE => ways summon 1,-1 / 0,1
    LINE options=portals_touch_as_one=on => ways summon 0,-1 / 1,-1 / 2,-1 / -1,0 / 2,0 / -1,1 / 0,1 / 1,1
v8 the colour of Alteration
    LINE := tiles=Portal@0,0;Polarity@1,0:1;Shift@0,1;Swap@1,-1;Generate@2,-1 mages=portal/portal reserve=Draw
    LINE => points 1
    LINE options=alteration=orange => points 2
v9 anyone's Control may count
    LINE := tiles=Portal@0,0;Continuity@1,0:1;Channel@0,1:2;Shift@1,-1 mages=portal/portal
    LINE => points 0
    LINE options=controlled=any => points 1
v10 the world may fall apart if the option is off
    HELD := tiles=Portal@2,0;Channel@-1,0;Condense@-2,0;Draw@-2,1;Gather@0,0;Harvest@1,0;Shift@2,-1
    HELD mages=0,0;portal/portal;portal act options=keep_connected=off > to 1,0 => on 0,0 nothing
v14 a finished game has no steps
    ring:Quicken mages=portal/portal phase=over end=max_rounds => legal none
v16 the Book's example gains from Generate but not from Propagate
    BOOK := ring:Transmute,Generate,Propagate;Generate.2@2,-1 act etherium=4.0/0.0
    BOOK mages=portal;0,1;1,-1/portal > to 1,0; make 2 black => 1 has 2.3
    BOOK mages=portal;0,1;1,-1/portal options=reactions=first > to 1,0; make 2 black => 1 has 0.3
    BOOK mages=portal;0,1;1,-1;2,-1/portal options=reactions=first > to 1,0; make 2 black => 1 has 0.4
    BOOK mages=portal;1,-1/portal options=reactions=first > to 1,0; make 2 black => 1 has 2.2
    BOOK mages=portal;0,1;1,-1/portal colours=Red/Blue options=player_powers=on,reactions=first > to 1,0; make 2 black => 1 has 2.3
v16 White and Black each have a first kind
    BOTH := ring:Tribute,Generate,Multiply mages=portal;0,1;1,-1/portal;portal etherium=1.0/1.1 act
    BOTH > to 1,0; collect white; collect black => 1 has 2.2
    BOTH options=reactions=first > to 1,0; collect white; collect black => 1 has 2.2
v17 a Shift may leave a Realm alone
    SHIFT := ring:Shift;Affinity@2,-1 mages=portal;portal/portal etherium=3.0/0.0 act
    SHIFT > to 1,0; shift 1,-1 => cannot put -1,1
    SHIFT options=shift_keeps_touching=off > to 1,0; shift 1,-1; put -1,1 => on -1,1 Condense
v18 each conversion of the Green player costs one White
    GREEN := ring:Transmute mages=portal;portal/portal etherium=3.0/0.0 act colours=Green/Red
    GREEN options=player_powers=on > to 1,0 => legal make 1 black / make 2 black / skip
    GREEN options=player_powers=on > to 1,0; make 2 black => 1 has 0.2
    GREEN options=player_powers=on,green_conversions=each > to 1,0 => legal make 1 black / make 2 black / make 3 black / skip
    GREEN options=player_powers=on,green_conversions=each > to 1,0; make 3 black => 1 has 0.3
v19 an opponent's Exhausted Mage receives the movement
    LEND := ring:Transfer,Protection mages=1,0;portal/portalx;portal etherium=1.0/1.0 act held=1,0
    LEND => cannot transfer
    LEND options=transfer_to=anyone > transfer 2.1 => active=2.1; phase act 1; written; cannot control; cannot displace; can summon
    LEND options=transfer_to=anyone > transfer 2.1; to 1,-1 => 1 has 0.0; 2 has 1.1; phase act 2; 2 in 1,-1x;portal
v19 p9 its owner may protect it
    LEND := ring:Transfer,Protection mages=1,0;portal/0,1x;portal etherium=1.0/1.0 act held=1,0 options=transfer_to=anyone
    LEND > transfer 2.1 => phase protect 2; written
    LEND > transfer 2.1; protect => active=1; 2 has 0.0; phase act 1
    LEND > transfer 2.1; skip => active=2.1; 2 has 1.0; phase act 1
v22 Lessen can make a conversion free
    LINE := ring:Transmute,Lessen,Lessen.2 mages=portal;0,1;1,-1/portal act reserve=Draw
    LINE options=free_conversions=off > to 1,0 => phase act 2
    LINE options=free_conversions=on > to 1,0 => legal make 1 black / skip
v23 a Realm moved by another player can be moved again
    PUSH := ring:Displace,Shift;Affinity@2,-1 mages=1,0;portal/1,0 etherium=1.0/1.0 act held=1,0
    PUSH options=moved_by=anyone > displace; push 2.1 to 0,1; shift 2,-1; put 1,1 => now=1,1
    PUSH options=moved_by=player > displace; push 2.1 to 0,1; shift 2,-1; put 1,1 => -now
    SHIFT := ring:Shift;Affinity@2,-1 mages=portal;portal/portal etherium=3.0/0.0 act options=moved_by=player
    SHIFT > to 1,0; shift 2,-1; put 1,1 => before=1,1
v24 Disruption ends the Displace at once
    PUSH := ring:Displace,Disruption mages=1,0;portal/1,0 etherium=1.0/0.0 act held=1,0
    PUSH options=displace_self=on > displace; push 1.1 to 0,1 => phase push 1
    PUSH options=displace_self=on,disruption_ends_displace=on > displace; push 1.1 to 0,1 => phase act 2
v25 Tribute from an own Mage is a gain
    OWN := ring:Tribute,Multiply,Generate mages=portal;0,1;1,-1/portal etherium=3.1/0.0 act
    OWN > to 1,0 => phase act 1
    OWN options=tribute_from_own=on > to 1,0; collect white; collect black => 1 has 3.2
v26 a held Realm serves the active Mage alone
    HELD := ring:Displace,Condense,Propagate act held=1,-1;1,0 etherium=1.0/0.0 mages=1,0;1,0/portal
    HELD options=held_by=player > displace; push 1.2 to 0,1 => 1 has 2.1
    HELD options=held_by=mage > displace; push 1.2 to 0,1 => 1 has 0.1
    HELD options=held_by=mage > to 0,1 => 1 has 3.1
n3 a single legal step is played by itself
    ring:Quicken,Gather mages=portal;portal/portal act > to 0,1 => phase act 2; turn=2
n4 of equal Mages only the first is named
    ring:Quicken mages=portal;portal;1,0;portalx/portal => legal mage 1 / mage 3
n5 the Realm of an activated Mage is held
    ring:Quicken mages=portal;1,0/portal > mage 2 => held=1,0
n6 the steps of an activation
    LINE := ring:Transfer,Displace mages=1,0;0,1x/1,0 act etherium=9.9/0.0
    LINE => legal to 1,-1 / to 0,1 / to portal / summon 2,-1 / summon 1,1 / displace / transfer 2 / end
n7 the sources of a summoning
    LINE := ring:Quicken mages=portal;portal/portal act reserve=Draw;Draw;Accord
    LINE > summon -1,1 => legal draw realm / draw victory / take Draw / take Accord
n8 the steps of entering powers
    LINE := ring:Transmute mages=portal;portal/portal act etherium=4.1/0.0
    LINE > to 1,0 => legal make 2 white / make 1 black / make 2 black / skip
n9 an owner is asked out of turn
    LINE := ring:Displace,Protection mages=1,0;portal/1,0;0,1 etherium=1.0/1.0 act
    LINE > displace; push 2.1 to portal => phase protect 2; legal protect / skip; -seat
n10 points are checked at once
    LINE := ring:Swap,Channel;Fluency@2,-1:1 mages=portal;portal/portal act etherium=2.0/0.0 options=points=2
    LINE => points 1
    LINE > to 1,0; swap 1,-1; with 0,1 => points 1; -triggered
    LINE > to 1,0; swap 1,0; with 0,1 => points 2; triggered
n11 a draw is weighted by the copies left
    LINE := ring:Quicken mages=portal;portal/portal act
    LINE > summon -1,1; draw realm => weighs Portal 5; weighs Quicken 1; weighs Swap 2; cannot reveal Accord
n12 a Displace waits for a power and its questions
    LINE := ring:Displace,Conjure mages=1,0;portal/1,0;1,0x etherium=1.0/0.3 act
    LINE > displace; push 2.1 to 0,1 => phase enter 2; owner=2
    LINE > displace; push 2.1 to 0,1; use => phase push 1
f2 the Mages of each seat
    tiles=Portal@0,0;Quicken@1,0 mages=portal;1,0x/portal;portal/1,0 => same
f3 Etherium, colours and Reserve
    mages=portal/portal etherium=3.1/0.0 colours=Red/Green reserve=Quicken;Accord options=player_powers=on => same
f4 the phase and the turn
    mages=portal/portal reserve=Quicken phase=over seat=2 turn=9 round=4 steps=77 triggered end=points => same
f5 what belongs to a turn
    LINE := tiles=Portal@0,0;Quicken@1,0;Shift@0,1 mages=portal;1,0/portal phase=act before=0,1 now=1,0
    LINE active=2 moved=1 received held=1,0 left=0,1 used=1@0,1 => same
f6 what belongs to a summoning
    tiles=Portal@0,0;Quicken@1,0 mages=portal;portal/portal phase=draw active=1 hex=0,1 supply=realm => same
    LINE := tiles=Portal@0,0;Quicken@1,0 mages=portal/portal reserve=Disruption;Disruption phase=refill
    LINE active=1 hex=1,0 supply=realm again=2 => same
f7 what belongs to a power
    LINE := tiles=Portal@0,0;Tribute@1,0 mages=1,0;portal/portal etherium=1.0/3.0 phase=tribute
    LINE active=1 entering=1.1 asked=2.1 gained=1.0 lessen=1 => same
f8 questions during a Displace
    LINE := ring:Displace,Disruption,Protection etherium=1.1/1.0 act mages=1,0;portal/1,0;1,-1;portal
    LINE > displace; push 2.1 to 0,1 => displace=1,0; target=0,1; written
    LINE options=displace_by=owner > displace; push 2.1 => displace=1,0; -target; written
    MORE := ring:Displace,Disruption,Protection etherium=1.1/2.0 act mages=1,0;portal/1,0;1,0x;1,-1
    MORE > displace; push 2.1 to 0,1; protect => tried=2.1; written
"""  # noqa: E501 - a row is one example
EXAMPLES = read_examples(CLAUSES, {"act": ACT})


def expand_ring(text: str) -> str:
    """Write out `ring:A,B:2` as tiles on their hexes, with the seats that Control them."""

    def write(found: re.Match[str]) -> str:
        given = found[1].split(",")
        names = [name.partition(":") for name in (*given, *("", "Channel", "Condense")[len(given) :])]
        places = zip(names, ("1,0", "0,1", "1,-1"), strict=True)
        return "tiles=Portal@0,0;" + ";".join(f"{name}@{hex_}{colon}{seat}" for (name, colon, seat), hex_ in places)

    return re.sub(r"ring:([^; ]*)", write, text)


@pytest.mark.parametrize("examples", EXAMPLES.values(), ids=EXAMPLES)
def test_clause(examples: list[PlayedExample]) -> None:
    for text, steps, facts in examples:
        line = expand_ring(text)
        if facts == ["same"]:
            assert encode_position(*decode_position(line)) == line
            continue
        position, options = decode_position(with_reserve(line))
        play_on(position, *steps)
        written = encode_position(position, options)
        for fact in facts:
            verb, _, rest = fact.partition(" ")
            if fact == "written":
                again, same_options = decode_position(written)
                assert (again == position).all()
                assert same_options == options
            elif verb.isdigit():
                amount, _, wanted = rest.partition(" ")
                assert BY_SEAT[amount](position, written, int(verb) - 1) == wanted, (line, steps, fact)
            elif verb in FACTS:
                assert FACTS[verb](position, rest), (line, steps, fact, list_texts(position))
            else:
                name = verb.removeprefix("-").partition("=")[0]
                shown = [field for field in written.split() if field.partition("=")[0] == name]
                assert shown == ([] if verb.startswith("-") else [fact]), (line, steps, fact)


BY_SEAT: dict[str, Callable[[Position, str, int], str]] = {
    "has": lambda position, _, seat: "{}.{}".format(*amounts(position, seat)),
    "in": lambda _, text, seat: next(word[6:] for word in text.split() if word.startswith("mages=")).split("/")[seat],
}


def is_offered(position: Position, step: str) -> bool:
    """Whether a step, or one that begins so, is legal."""
    return any(f"{text} ".startswith(f"{step} ") for text in list_texts(position))


def is_phase(position: Position, words: str) -> bool:
    name, seat = phase(position)
    return words == f"{name} {'chance' if seat == layout.CHANCE else seat + 1}"


def has_weight(position: Position, words: str) -> bool:
    name, number = words.split()
    return chance_weight(position, layout.REVEAL0 + layout.KIND_NAMES.index(name)) == int(number)


FACTS: dict[str, Callable[[Position, str], bool]] = {
    "can": is_offered,
    "cannot": lambda position, step: not is_offered(position, step),
    "legal": lambda position, texts: list_texts(position) == ([] if texts == "none" else texts.split(" / ")),
    "ways": lambda position, words: verbs(position, words.split()[0]) == words.partition(" ")[2].split(" / "),
    "phase": is_phase,
    "points": lambda position, number: position[layout.POINTS] == int(number),  # of seat 1
    "stock": lambda position, number: position[layout.RESERVE : layout.SUPPLY].sum() == int(number),  # in the Reserves
    "weighs": has_weight,
    "on": lambda position, words: tile_at(position, words.split()[0]) == words.split()[1],
    "moves": lambda position, number: count_moves_left(position) == int(number),
}
