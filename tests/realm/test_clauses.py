"""The clauses of RULES.md about moves, events, sacrifices, the set-up and ends, as examples."""

from __future__ import annotations

import pytest

from realmtable.games.realm.rules import position_key
from tests.example_tables import PlayedExample
from tests.realm.helpers import FACTS, GAME, SETUP, play, position
from tests.realm_boards.clause_facts import each_clause

QUIET = "W:Bh11,Bk11,Pa1 B:Bb2,Be2,Pg12"  # both Powers stand in enemy Realms and can go to and fro
BLOCKED = "W:Bh11,Pa1 B:Bb2,Eb1x,Ec1x,Ea2x,Ec2x,Ea3x,Eb3x,Ec3x"  # no player can move or rearrange
# Pieces of White's in e5, b8 and k8; no move below sets off an event.
MANY = "W:Bh2,Pa7,Pd4,Pf5,Pk7,Ee4W B:Be8,Be11,Bh5 options=powers=4"
# No Center is vacant, and no Enforcer is left to create.
FULL = "W:Bb2,Bb5,Bb8,Bb11,Be2,Be5,Be8,Be11,Pg1{} B:Bh2,Bh5,Bh8,Bh11,Bk2,Bk5,Bk8,Bk11{} stock=0/0{}"
OPTIONAL, GIFT = "options=optional_creation=on", "options=power_sacrifice=on"
SHOP = "W:Bh11,Pa1,Ec3x,Pc1,Pg10 B:Be8,Bh2,Bb2,Be5"
HOUSE = "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3"
FRESH = " ".join(f"E{space}{face}" for space in ["g10", "h10", "i10", "g11", "i11", "h12", "i12"] for face in "NESW")
FAR = "a7 a8 a9 a10 a11 a12 a3 a2 a1"
DECLINED = "Pf7f6 end Pd6d7 end Pf6f7 - end Pd7d6 -"
ROWS = "Rb2 Pb1 Pg12j12 end Rb2 Pa1 Pj12g12 end"
ROUND = "Pa1d1 end Pg12j12 end Pd1a1 end Pj12g12 end"

CLAUSES = f"""
r6 a Base never moves
    W:Bh11,Pg10 B:Bh2 => moves h11; refuses Ph11h9 R6
r7 a Power moves any distance over vacant Centers but never stops on one
    W:Bb2,Pe4 B:Bk11 => moves e4 e7 e9 e10 e12 g4 h4 i4 j4 k4 l4 e3 e1 c4 b4 a4
r7 any piece stops a move
    W:Bb2,Pe4,Be8 B:Bk11 => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4 B:Bk11,Be8 => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4,Pe9 B:Bk11 => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4 B:Bk11,Pe9 => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4,Ee9S B:Bk11 => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4 B:Bk11,Ee9S => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4,Ee9x B:Bk11 => misses e4 e9 e10; reaches e4 e7
    W:Bb2,Pe4 B:Bk11,Ee9x => moves e4 e7 g4 h4 i4 j4 k4 l4 e3 e1 c4 b4 a4
r8 an Enforcer does not go straight back and an immobile one nowhere
    W:Bb2,Ee4N B:Bk11 => moves e4 e7 e9 e10 e12 g4 h4 i4 j4 k4 l4 c4 b4 a4
    W:Bb2,Ee4E B:Bk11 => moves e4 e7 e9 e10 e12 g4 h4 i4 j4 k4 l4 e3 e1
    W:Bb2,Ee4S B:Bk11 => moves e4 g4 h4 i4 j4 k4 l4 e3 e1 c4 b4 a4
    W:Bb2,Ee4W B:Bk11 => moves e4 e7 e9 e10 e12 e3 e1 c4 b4 a4
    W:Bb2,Ee4x B:Bk11 => moves e4
r8 an Enforcer faces the way it moved
    W:Bb2,Ee4N B:Bk11 > Ee4e7 => changes e4 e7=WEN
    W:Bb2,Ee4N B:Bk11 > Ee4g4 => changes e4 g4=WEE
    W:Bb2,Ee4W B:Bk11 > Ee4e3 => changes e4 e3=WES
    W:Bb2,Ee4S B:Bk11 > Ee4c4 => changes e4 c4=WEW
r9 s4 the first move opens a Dispersal and a Concentration
    MANY > Pd4d9 => plays=e5/e8; movers f5 e4 a7 k7; moves a7 d7 e7 f7; moves k7 d7 e7 f7
    MANY > Pd4d9 => moves f5 f7 f8 f9 f10 f11 f12 f3 f2 f1 c5 a5 g5
    MANY > Pd4d9 Pf5f7 => plays=e5/e8
r9 s4 a Dispersal continues only from its origin
    MANY > Pd4d9 Pf5g5 => plays=e5/-; legal Ee4c4 Ee4b4 Ee4a4 Ee4e7 Ee4e3 Ee4e1 end; refuses Pa7d7 R9
r9 s4 a Concentration continues only into its target
    MANY > Pd4d9 Pa7d7 => plays=-/e8; legal Pf5f7 Pf5f8 Pf5f9 Pk7f7 Pk7e7 Ee4e7 end; refuses Pf5g5 R9
s4 each later move keeps a play open and closes what it does not fit
    FIVE := W:Bh11,Pd4,Pf5,Pa8,Pg10 B:Bh2,Be8,Be2,Bh5,Bk5 options=powers=4
    FIVE > Pd4d7 => plays=e5/e8; refuses Pg10l10 R9
    FIVE > Pd4d7 Pf5f7 => plays=e5/e8
    FIVE > Pd4d7 Pf5g5 => plays=e5/-
    FIVE > Pd4d7 Pa8d8 => plays=-/e8
r9 no piece moves twice
    MANY > Pd4d9 Pf5f7 Ee4e7 => movers a7; refuses Pd9d10 R9
r9 s7 a turn of one piece is legal and end closes it
    MANY > Pd4d9 end => acts B; plays=-/-; phase turn
s7 a turn needs a move, and its end waits for a pending event
    MANY => refuses end S7
    W:Bh11,Pe12 B:Bh2,Pg3 > Pe12g12 => phase create; cannot end
    W:Bh11,Pe12 B:Bh2,Pg3 > Pe12g12 Eg10S => can end
r9 there is no voluntary pass
    MANY => cannot pass; refuses pass R9
    W:Bh11,Pa1 B:Bb2,Eb1x,Ea2x => legal Rb2 offer
r9 s3 a player who can do nothing passes
    W:Bh11 B:Bh2,Pg3 => legal pass offer
    W:Bh11 B:Bh2,Pg3 > pass => acts B; changes
    BLOCKED => legal pass offer
    BLOCKED > pass => acts B; changes
r9 v13 a sacrifice leaves no room for a pass
    STUCK := W:Bh11,Pa1,Ec1x B:Bb2,Eb1x,Ea2x,Ec2x rowW=b2*2
    STUCK => legal pass offer
    STUCK {GIFT} => legal xPa1(Ec1N) xPa1(Ec1E) xPa1(Ec1S) offer
s3 what a turn begins with
    PLAYS := W:Bh11,Pg10,Ei12x B:Bh2,Pg3 offer=standing {GIFT}
    PLAYS => can Pg10g7; others=Rh11/accept/offer/xPg10(Ei12E)/xPg10(Ei12N)/xPg10(Ei12S)/xPg10(Ei12W)
v5 a piece that enters an enemy Realm stops there
    W:Bh11,Pa4 B:Be5,Bk2 => moves a4 d4 e4 f4 g4 h4 i4 j4 k4 l4 {FAR}
    CLOSED := W:Bh11,Pa4 B:Be5,Bk2 options=stop_in_enemy_realm=on
    CLOSED => moves a4 d4 e4 f4 {FAR}; refuses Pa4g4 V5
v5 looks at each Realm on the line
    STOP := options=stop_in_enemy_realm=on
    W:Bh11,Pa4 B:Be5,Ed4x STOP => moves a4 {FAR}
    W:Bh11,Pa5 B:Be5 STOP => reaches a5 d5; misses a5 e5 f5 g5
    W:Bh11,Pa4 B:Bb5,Bh5 STOP => moves a4 d4 e4 f4 g4 h4 i4 {FAR}
    W:Be5,Pa4 B:Bh5 STOP => moves a4 d4 e4 f4 g4 h4 i4 {FAR}
    W:Bh11,Ea4E B:Be5 STOP => reaches a4 d4 e4 f4; misses a4 g4 h4 i4
v9 the first turn moves one single Power
    ONE := start first_turn_single_power=on
    ONE > {SETUP} => others=offer; refuses Rh11 V9
    ONE > {SETUP} Pi10i6 => has h5=WB; legal end
    ONE > {SETUP} Pi10i6 end => can Rh2
    ONE > {SETUP} Pi10i6 end Pd6d1 => movable g3
v9 moves no Enforcer and sacrifices nothing
    HOUSE options=first_turn_single_power=on,power_sacrifice=on => movers g10; others=offer
    HOUSE options=first_turn_single_power=on,power_sacrifice=on => refuses xPg10(Ei12N) Eg12f12 V9
e1 a Power creates a Base on a vacant Center
    W:Bh11,Pa7 B:Bk2 > Pa7d7 => changes a7 d7=WP e8=WB; bases=10/11; progress=1; phase turn; stock=8/8
    W:Bh11,Pa7,Pd9 B:Bk2 > Pa7d7 => changes a7 d7=WP e8=WB
    W:Bh11,Pa7,Ed9N B:Bk2,Ee9S,Ef9x > Pa7d7 => changes a7 d7=WP e8=WB
e1 an enemy Power prevents it and nothing follows later
    W:Bh11,Pa7 B:Bk2,Pe9 > Pa7d7 => changes a7 d7=WP
    W:Bh11,Pa7 B:Bk2,Pe9 > Pa7d7 end Pe9h9 end => lacks e8
    W:Bh11,Pa7 B:Bk2,Pe9 > Pa7d7 end Pe9h9 end Pd7c7 => has b8=WB
    W:Bh11,Pa7 B:Be8 > Pa7d7 => changes a7 d7=WP
v6 a Power founds only alone
    LONE := options=lone_power_base=on
    W:Bh11,Pa7 B:Bk2 LONE > Pa7d7 => has e8=WB
    W:Bh11,Pa7,Ed9x B:Bk2 LONE > Pa7d7 => has e8=WB
    W:Bh11,Pa7,Pd9 B:Bk2 LONE > Pa7d7 => lacks e8
    W:Bh11,Pa7 B:Bk2,Pd9 LONE > Pa7d7 => lacks e8
e2 s5 a Power creates an Enforcer where its player controls
    OWN := W:Bh11,Pe12 B:Bh2
    OWN > Pe12g12 => phase create; legal {FRESH}; stock=8/8
    OWN > Pe12g12 Eg11W => changes e12 g12=WP g11=WEW; phase turn; stock=7/8; bases=11/11; progress=1
    W:Bh11,Be8,Pa7,Ed9x B:Bk2 > Pa7d7 => phase create; cannot Ed9N Ed7N Ee8N; can Ef9S
    W:Bh11,Be8,Pa7 B:Bk2,Ed9x > Pa7d7 => phase create
    W:Bh11,Be8,Pa7,Pd9 B:Bk2,Pe9 > Pa7d7 => phase create; cannot Ee9N
e2 what prevents it
    W:Bh11,Be8,Pa7,Ed9N B:Bk2 > Pa7d7 => changes a7 d7=WP; phase turn
    W:Bh11,Be8,Pa7 B:Bk2,Ed9S > Pa7d7 => changes a7 d7=WP; phase turn
    W:Bh11,Be8,Pa7,Ed9x B:Bk2,Ee9W > Pa7d7 => changes a7 d7=WP; phase turn
    W:Bh11,Be8,Pa7 B:Bk2 stock=0/3 > Pa7d7 => phase turn; stock=0/3
    W:Bh11,Be8,Pa7 B:Bk2,Ee7x,Ef7x,Ed8x,Ef8x,Ed9x,Ee9x,Ef9x > Pa7d7 => phase turn
    W:Bh11,Be8,Pa7 B:Bk2,Ee7x,Ef7x,Ed8x,Ef8x,Ed9x,Ee9x > Pa7d7 => legal Ef9N Ef9E Ef9S Ef9W
    W:Bh11,Pa7 B:Be8 > Pa7d7 => phase turn
e2 s5 it comes before anything else
    W:Bh11,Be8,Pa9,Pa7 B:Bk2 > Pa7d7 => refuses end Pa9d9 pass offer Rh11 Ea1N Ed7N Pf9 - E2
e3 an Enforcer immobilises an enemy and itself unless it has more Powers
    W:Bh11,Ea7E B:Bk2,Be8,Ef8N > Ea7d7 => changes a7 d7=WEx f8=BEx; captured=0/0; progress=1
    W:Bh11,Ea7E B:Bk2,Bh5,Ef8N > Ea7d7 => changes a7 d7=WEx f8=BEx
    W:Bh11,Ea7E,Pd9 B:Bk2,Be8,Ef8N,Pe9 > Ea7d7 => changes a7 d7=WEx f8=BEx
    W:Bh11,Ea7E B:Bk2,Be8,Ef8N,Pe9 > Ea7d7 => changes a7 d7=WEx f8=BEx
    W:Bh11,Ea7E,Pd9 B:Bk2,Bh5,Ef8N,Pe9,Pf9 > Ea7d7 => changes a7 d7=WEx f8=BEx
    W:Bh11,Ea7E,Pd9 B:Bk2,Be8,Ef8N > Ea7d7 => changes a7 d7=WEE f8=BEx
    W:Bh11,Ea7E,Pd9,Pe9 B:Bk2,Be8,Ef8N,Pf9 > Ea7d7 => changes a7 d7=WEE f8=BEx
    W:Bh11,Ea7E,Pd9,Pe9 B:Bk2,Bh5,Ef8N > Ea7d7 => changes a7 d7=WEE f8=BEx
    W:Bh11,Be8,Ea7E B:Bk2,Ef8N > Ea7d7 => changes a7 d7=WEx f8=BEx
    W:Bh11,Bh8,Ea7E B:Bk2,Ef8N > Ea7d7 => changes a7 d7=WEx f8=BEx
    W:Bh11,Ea7E B:Be8,Bk2,Ef8x > Ea7d7 => changes a7 d7=WEE
e3 r10 the capture waits for another Enforcer
    W:Bh11,Ea7E,Ea8E,Pd9 B:Be8,Bk2,Ef8N > Ea7d7 Ea8d8 => changes a7 a8 d7=WEE d8=WEx f8=BEx e8
s5 a Base appears by itself and an Enforcer is a step
    W:Bh11,Pe12,Pe10 B:Bh2 > Pe12g12 => legal {FRESH}
    W:Bh11,Pe12,Pe10 B:Bh2 > Pe10e7 => has e8=WB
    W:Bh11,Pe12,Pe10 B:Bh2 {OPTIONAL} > Pe10e7 => legal Be8 -
    W:Bh11,Pe12,Pe10 B:Bh2 {OPTIONAL} > Pe12g12 => legal {FRESH} -
s6 only with two or more is there a choice
    W:Bh11,Ea7E B:Bh2,Ef8N > Ea7d7 => has f8=BEx
    W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N,Ee7x > Ea7d7 => legal xEf8 xEf9
e3 s6 the mover chooses among several
    TWO := W:Bh11,Ea7E B:Be8,Bk2,Ef8N,Ef9S,Ee7x
    TWO > Ea7d7 => phase immobilise; legal xEf8 xEf9; refuses xEe7 end E3
    TWO > Ea7d7 xEf9 => changes a7 d7=WEx f9=BEx; phase turn; acts W
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2,Ef8N,Ef9S,Ee7x > Ea7d7 xEf9 => changes a7 d7=WEE f9=BEx
e4 a capture immobilises the captor with exactly one Power more
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2 > Ea7d7 => changes a7 d7=WEx e8; captured=1/0; bases=11/10; progress=1
    W:Bh11,Ea7E,Pd9,Pe9 B:Be8,Bk2,Pf9 > Ea7d7 => changes a7 d7=WEx e8
    W:Bh11,Ea7E,Pd9,Pe9,Pf9 B:Be8,Bk2,Pd8,Pf8 > Ea7d7 => changes a7 d7=WEx e8
    W:Bh11,Ea7E,Pd9,Pe9 B:Be8,Bk2 > Ea7d7 => changes a7 d7=WEE e8
    W:Bh11,Ea7E,Pd9,Pe9,Pf9 B:Be8,Bk2,Pd8 > Ea7d7 => changes a7 d7=WEE e8
    W:Bh11,Ea7E,Pd9,Pe9,Pf9 B:Be8,Bk2 > Ea7d7 => changes a7 d7=WEE e8
    W:Bh11,Ea7E,Pd9,Pe9 B:Be8,Bk2,Ef8x > Ea7d7 => changes a7 d7=WEE e8
e4 needs more Powers
    W:Bh11,Ea7E B:Be8,Bk2 > Ea7d7 => changes a7 d7=WEE
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2,Pe9 > Ea7d7 => changes a7 d7=WEE
    W:Bh11,Ea7E B:Be8,Bk2,Pd9 > Ea7d7 => changes a7 d7=WEE
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2,Pe9,Pf9 > Ea7d7 => changes a7 d7=WEE
e4 captures neither an own Base nor an empty Center
    W:Bh11,Be8,Ea7E,Pd9,Pe9 B:Bk2 > Ea7d7 => changes a7 d7=WEE
    W:Bh11,Ea7E,Pd9,Pe9 B:Bk2 > Ea7d7 => changes a7 d7=WEE
e4 r10 Powers are counted when the Enforcer stops
    W:Bh11,Ea7E,Pa9 B:Be8,Bk2 > Ea7d7 Pa9d9 => changes a7 a9 d7=WEE d9=WP
    W:Bh11,Ea7E,Pa9 B:Be8,Bk2 > Pa9d9 Ea7d7 => changes a7 a9 d7=WEx d9=WP e8
e4 e1 a capture leaves room for a Base in the same turn
    W:Bh11,Ea7E,Pd9,Pa8 B:Be8,Bk2 > Ea7d7 Pa8d8 => changes a7 a8 d7=WEx d8=WP e8=WB; bases=10/10; captured=1/0
r10 a captured Base is never created again
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2 => bases=11/10
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2 > Ea7d7 end => bases=11/10
r10 one event at most follows a piece
    W:Bh11,Ea7E,Pd9,Pe9 B:Be8,Bk2,Ef8N > Ea7d7 => has f8=BEx e8=BB; quiet=0
r12 the last Base ends the game in the middle of a turn
    W:Bh11,Pd4,Pf5 B:Bk2 left=1/5 > Pd4d7 => ends last_base; bases=0/5; legal
    TEN := W:Bb2,Bb5,Bb8,Bb11,Be2,Be5,Be11,Bh2,Bh5,Bh8
    TEN,Pa7 B:Bk2 > Pa7d7 => ends -
    TEN,Bh11,Pa7 B:Bk2 > Pa7d7 => ends last_base
v7 the captor places a Base at once
    SWAP := options=capture_replaces=on,optional_creation=on
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2 SWAP > Ea7d7 => changes a7 d7=WEx e8=WB; bases=10/10; captured=1/0; phase turn
    W:Bh11,Ea7E,Pd9,Pe9 B:Be8,Bk2 SWAP > Ea7d7 => changes a7 d7=WEE e8=WB
    W:Bh11,Ea7E,Pd9 B:Be8,Bk2 left=1/5 SWAP > Ea7d7 => ends last_base; captured=1/0
v16 s5 a Base may be declined
    FOUND := W:Bh11,Pa7 B:Bk2 {OPTIONAL}
    FOUND > Pa7d7 => phase found; legal Be8 -
    FOUND > Pa7d7 - => changes a7 d7=WP; phase turn; bases=11/11; progress=0; can end
    FOUND > Pa7d7 Be8 => changes a7 d7=WP e8=WB; phase turn; bases=10/11; can end
    W:Bh11,Pa7 B:Bk2 left=1/5 {OPTIONAL} > Pa7d7 - => ends -
    W:Bh11,Pa7 B:Bk2 left=1/5 {OPTIONAL} > Pa7d7 Be8 => ends last_base
v16 s5 an Enforcer may be declined
    W:Bh11,Be8,Pa7 B:Bk2 {OPTIONAL} > Pa7d7 => can -
    W:Bh11,Be8,Pa7 B:Bk2 {OPTIONAL} > Pa7d7 - => phase turn; stock=8/8; progress=0
v13 a Power leaves and an Enforcer of its Realm is free
    SHOP {GIFT} => sacrifices=8; can xPa1(Ec3N) xPa1(Ec3E) xPa1(Ec3S) xPa1(Ec3W) xPc1(Ec3N) xPc1(Ec3W)
    SHOP {GIFT} > xPa1(Ec3E) => changes a1 c3=WEE; acts W; progress=1
    SHOP => cannot xPa1(Ec3N); refuses xPa1(Ec3N) V13
v13 s4 the turn must be a Dispersal from that Realm
    SHOP {GIFT} > xPa1(Ec3N) => plays=b2/-; movers c1 c3; others=; refuses end Pg10g7 xPc1(Ec3N) Rb2 V13
    SHOP {GIFT} > xPa1(Ec3N) Ec3c4 => plays=b2/-; can end; movers c1
    SHOP {GIFT} > xPa1(Ec3N) Ec3c4 Pc1d1 end => acts B
v13 needs a Power and an immobile Enforcer of one's own in one Realm
    W:Bh11,Pa1,Pg10 B:Bh2,Bb2,Ec3x {GIFT} => sacrifices=0
    W:Bh11,Pa1,Ec3N B:Bh2,Bb2 {GIFT} => sacrifices=0
    W:Bh11,Pa1,Ed3x B:Bh2,Bb2 {GIFT} => sacrifices=0
    W:Bh11,Ec3x B:Bh2,Bb2,Pa1 {GIFT} => sacrifices=0
v13 is illegal where nothing could move afterwards
    W:Bh11,Pa1,Ec3x B:Bh2,Bb2,Ec4x,Ed3x {GIFT} => sacrifices=0; refuses xPa1(Ec3N) V13
    W:Bh11,Pa1,Ec3x B:Bh2,Bb2,Ec4x {GIFT} => sacrifices=3; can xPa1(Ec3N) xPa1(Ec3E) xPa1(Ec3S)
    W:Bh11,Pa1,Pc1,Ec3x B:Bh2,Bb2,Ec4x,Ed3x {GIFT} => sacrifices=8
    W:Bh11,Pb3,Ec3x B:Bh2,Bb2,Bb5,Ec4x,Ed3x,Ec2x,Eb4x,Ea4x {GIFT} => sacrifices=0
    W:Bh11,Pd3,Ef3x B:Bh2,Be2,Ef4x,Eg3x,Ef2x {GIFT} => can xPd3(Ef3W)
v13 the Dispersal may capture with the freed Enforcer
    W:Bh11,Pa1,Ec3x,Pd6 B:Be5,Bh2,Bb2 {GIFT} > xPa1(Ec3N) Ec3d3 end => changes a1 c3 d3=WEE
    W:Bh11,Pa4,Ec4x,Pd6 B:Be5,Bh2,Bb5 {GIFT} > xPa4(Ec4N) Ec4d4 => changes a4 c4 d4=WEx e5
t1 s3 an offer comes first and the turn continues
    QUIET => can offer; cannot accept
    QUIET > offer => acts W; cannot offer accept; can Pa1d1; refuses offer T1
t1 the opponent accepts before anything else
    QUIET > offer Pa1d1 end => can offer accept
    QUIET > offer Pa1d1 end accept => ends agreement
t1 any other step declines
    QUIET > offer Pa1d1 end Pg12j12 => cannot offer accept
    QUIET > offer Pa1d1 end Pg12j12 end => can offer; cannot accept
    QUIET > offer Pa1d1 end Rh11 => cannot offer accept
    QUIET > offer Pa1d1 end Rh11 Ph12 => can offer; cannot accept
    QUIET > offer Pa1d1 end offer => cannot offer accept
    QUIET > offer Pa1d1 end offer Pg12j12 end => can accept
    QUIET > offer Pa1d1 end Pg12j12 end Pd1a1 end => refuses accept T1
t1 comes at the start of a turn and not in the set-up
    QUIET > Pa1d1 => refuses offer T1
    start => refuses offer R2
t1 may come before a Rearrangement, a sacrifice and a pass
    BARE := W:Bh11,Pg10,Ei12x B:Bh2 {GIFT}
    BARE > offer => can Rh11 xPg10(Ei12N)
    BARE > offer Rh11 Ph10 Ei12x => legal pass offer accept
    BARE > offer xPg10(Ei12N) Ei12f12 end => legal pass offer accept
    BARE > offer Pg10g7 end offer pass => can accept
v17 without agreement there are no offers
    QUIET options=agree_end=off => cannot offer accept; refuses offer V17
t2 a dead position is scored
    {FULL.format("", ",Pa12", "")} > Pg1j1 => ends -; legal end
    {FULL.format("", ",Pa12", "")} > Pg1j1 end => ends dead_position
    {FULL.format(",Eg3x", ",Pa12,Ea10x", "")} > Pg1j1 end => ends dead_position
    {FULL.format(",Eg3N", ",Pa12", "")} > Pg1j1 end => ends -
    {FULL.format("", ",Pa12,Ea10S", "")} > Pg1j1 end => ends -
    {FULL.format("", ",Pa12", "").replace("0/0", "1/0")} > Pg1j1 end => ends -
    {FULL.format("", ",Pa12", "").replace("0/0", "0/1")} > Pg1j1 end => ends -
    {FULL.format("", ",Pa12", "").replace(",Be11", "")} > Pg1j1 end => ends -
t2 v13 an own Power and immobile Enforcer may still be sacrificed
    {FULL.format(",Eg3x", ",Pa12", "")} {GIFT} > Pg1j1 end => ends -
    {FULL.format("", ",Pa12,Ea10x", "")} {GIFT} > Pg1j1 end => ends -
    {FULL.format("", ",Pa12", "")} {GIFT} > Pg1j1 end => ends dead_position
    {FULL.format("", ",Ea10x", "")} {GIFT} > Pg1j1 end => ends dead_position
    {FULL.format("", ",Eg3x", "")} {GIFT} > Pg1j1 end => ends dead_position
t3 too many turns without progress are scored
    QUIET quiet=58 > Pa1d1 end => ends -
    QUIET quiet=58 > Pa1d1 end Pg12j12 end => ends no_progress
v18 says how many quiet turns end the game
    QUIET quiet=8 options=no_progress=10 > Pa1d1 end => ends -
    QUIET quiet=8 options=no_progress=10 > Pa1d1 end Pg12j12 end => ends no_progress
    QUIET quiet=118 options=no_progress=120 > Pa1d1 end => ends -
    QUIET quiet=118 options=no_progress=120 > Pa1d1 end Pg12j12 end => ends no_progress
t3 progress resets the count
    W:Bh11,Pg10 B:Bh2 quiet=59 > Pg10g7 end => ends -; quiet=0
    W:Bh11,Pe10 B:Bh2 quiet=59 > Pe10g10 Eg12S end => ends -; quiet=0
    W:Bh11,Ea7E,Pd9 B:Be8,Bh2 quiet=59 > Ea7d7 end => ends -; quiet=0
    W:Bh11,Ea7E B:Be8,Bh2,Ef8N quiet=59 > Ea7d7 end => ends -; quiet=0
    W:Bh11,Pa1,Ec3x B:Be8,Bh2,Bb2 quiet=59 {GIFT} > xPa1(Ec3N) Ec3c4 end => ends -; quiet=0
t3 the third appearance of a position is scored
    QUIET > {ROUND} {ROUND.removesuffix(" end")} => ends -
    QUIET > {ROUND} {ROUND} => ends repetition
    QUIET turns=292 > {ROUND} {ROUND} => ends repetition
t3 the first position after the set-up counts
    AGAIN := start optional_creation=on
    AGAIN > {SETUP} {DECLINED} end {DECLINED} => ends -
    AGAIN > {SETUP} {DECLINED} end {DECLINED} end => ends repetition
t3 v17 rows of Rearrangements count while they are kept
    QUIET options=rearrange_limit=off > {ROWS} {ROUND} => ends repetition
    QUIET > {ROWS} {ROUND} => ends -
    QUIET > {ROWS} {ROUND} {ROWS} {ROUND} => ends repetition
t4 the last turn is scored
    QUIET turns=298 > Pa1d1 end => ends -
    QUIET turns=298 > Pa1d1 end Pg12j12 end => ends max_turns
v19 says after how many turns the game ends
    QUIET turns=18 options=max_turns=20 > Pa1d1 end => ends -
    QUIET turns=18 options=max_turns=20 > Pa1d1 end Pg12j12 end => ends max_turns
    QUIET turns=998 options=max_turns=1000 > Pa1d1 end Pg12j12 end => ends max_turns
t5 two passes in a row are scored
    BLOCKED > pass => ends -; acts B; legal pass offer
    BLOCKED > pass pass => ends two_passes
    W:Bh11 B:Bh2 > pass pass => ends two_passes
    W:Bh11,Bk11 B:Bh2,Pg12 > pass Pg12j12 end pass => ends -
t2 t5 t3 t4 the first reason that holds is given
    {FULL.format("", "", " quiet=59 turns=299 passed").replace(",Pg1", "")} > pass => ends dead_position
    BLOCKED quiet=59 turns=299 passed > pass => ends two_passes
    QUIET quiet=59 turns=299 > Pa1d1 end => ends no_progress
r1 twelve Bases, eight Enforcers, three Powers
    start => bases=12/12; stock=8/8
    start > {SETUP} => bases=9/9; stock=8/8; powers=3/3
v1 Bases
    start bases=11 => bases=11/11
    start bases=14 => bases=14/14
v2 Enforcers
    start enforcers=1 => stock=1/1
    start enforcers=9 => stock=9/9
v3 four Powers and four Bases each
    FOUR := start powers=4
    FOUR > Bb2 Be2 Be5 Bh5 Bh8 Bk8 Bk11 Bb11 => phase powers; bases=8/8
    FOUR > Bb2 Be2 Be5 Bh5 Bh8 Bk8 Bk11 Bb11 Pa1 Pd1 Pd4 Pg4 Pg7 Pj7 Pj10 Pa10 => phase turn; acts W
v3 holds the rows and columns as long as possible
    NEXT := phase=bases placed=6 options=powers=4
    W:Bb2,Be5,Bh8 B:Be2,Bh5,Bk8 NEXT => legal Bk11
    W:Bb2,Be5,Bh8 B:Be2,Bh5,Bk11 NEXT => legal Bh2 Bk2 Bb5 Bk5 Bb8 Be8 Bk8 Bb11 Be11 Bh11
r2 a Base goes on a vacant Center off own rows and columns
    start => legal Bb2 Be2 Bh2 Bk2 Bb5 Be5 Bh5 Bk5 Bb8 Be8 Bh8 Bk8 Bb11 Be11 Bh11 Bk11
    start > Bh11 Bh8 => legal Bb2 Be2 Bk2 Bb5 Be5 Bk5 Bb8 Be8 Bk8; refuses Bh8 Bh2 R2
    start > Bh11 Bh8 Be5 => legal Bb2 Be2 Bk2 Bb5 Bk5 Bb11 Be11 Bk11
v4 free placement is on any vacant Center
    start free_placement=on > Bh11 Bh8 => legal Bb2 Be2 Bh2 Bk2 Bb5 Be5 Bh5 Bk5 Bb8 Be8 Bk8 Bb11 Be11 Bk11
r4 the first to place moves first
    start > {SETUP} => phase turn; acts W
r5 a Base on the Center controls the Realm
    start > {SETUP} => realms=3/3
    W:Bh11,Pa1 B:Bh2,Be2,Pg10 => realms=1/2
v10 places anywhere where no Center fits
    EXTRA := move=B phase=bases placed=6 left=9/10 options=extra_base_second=on
    W:Bb2,Be5,Bk11 B:Bb5,Be2,Bh11 EXTRA => legal Bk8
    W:Bb2,Be5,Bk8 B:Bb5,Be2,Bh11 EXTRA => legal Bh2 Bk2 Bh5 Bk5 Bb8 Be8 Bh8 Bb11 Be11 Bk11
s1 the choice is a step of Black's
    start choose_seat=both => acts B; legal place:White place:Black
    start choose_seat=both > place:White {SETUP} => acts B; legal move:White move:Black
"""


@each_clause(CLAUSES, QUIET=QUIET, BLOCKED=BLOCKED, MANY=MANY, SHOP=SHOP, HOUSE=HOUSE)
def test_clause(examples: list[PlayedExample]) -> None:
    FACTS.check(examples)


def test_s9_the_order_of_moves_leaves_no_trace() -> None:
    state = position(MANY)
    for one, other in [
        ("Pd4d9 Pf5g5", "Pf5g5 Pd4d9"),  # a Dispersal
        ("Pd4d9 Pa7e7", "Pa7e7 Pd4d9"),  # a Concentration
        ("Pd4d9 Pf5f7", "Pf5f7 Pd4d9"),  # both still open
        ("Pd4d9 Pf5g5 end", "Pf5g5 Pd4d9 end"),
    ]:
        first, second = play(state, one), play(state, other)
        assert (first, hash(first)) == (second, hash(second))
    assert play(state, "Pd4d9") != play(state, "Pd4d9 end")


def test_s9_what_is_still_open_counts() -> None:
    board = "W:Bh2,Pd9,Pf5 B:Be8,Be11 moved from=e5"
    assert position(board) != position(board + " into=e8")
    assert hash(position(board)) != hash(position(board + " into=e8"))


def test_t3_the_seat_to_move_counts() -> None:
    assert position_key(position(QUIET).position) != position_key(position(QUIET + " move=B").position)


# ---- the winner

AGREED = "phase=over end=agreement"


@pytest.mark.parametrize(
    ("board", "ranking", "text"),
    [
        ("W:Bh11,Bh8 B:Bh2", (1, 2), "White wins with 2 Realms to 1."),
        ("W:Bh11 B:Bh2,Bh5,Eg10S", (2, 1), "Black wins with 2 Realms to 1."),
        ("W:Bh11 B:Bh2 stock=7/8", (2, 1), "1 Realms each; Black wins on the tie-break, 8 to 7."),
        ("W:Bh11,Ea1N,Ea3x B:Bh2,Eg12x,Eg10x", (1, 2), "1 Realms each; White wins on the tie-break, 7 to 6."),
        ("W:Bh11,Ea1N B:Bh2", (1, 1), "1 Realms each and 8 on the tie-break: a draw."),
    ],
)
def test_r13_realms_then_mobile_and_uncreated_enforcers(board: str, ranking: tuple[int, int], text: str) -> None:
    outcome = GAME.outcome(position(f"{board} {AGREED}"))
    assert outcome is not None
    assert (outcome.ranking, outcome.text) == (ranking, "Both players agreed to end the game. " + text)
    assert outcome.winner == (None if ranking == (1, 1) else ranking.index(1))


def test_r13_the_scores_are_the_realms() -> None:
    outcome = GAME.outcome(position(f"W:Bh11,Bh8 B:Bh2 stock=1/8 {AGREED}"))
    assert outcome is not None
    assert list(outcome.scores) == [2, 1]
    assert GAME.outcome(position("W:Bh11,Bh8 B:Bh2")) is None


@pytest.mark.parametrize(("tie_break", "winner"), [("enforcers", 1), ("enforcers+captures", 0)])
def test_v12_captured_bases_may_count_in_the_tie_break(tie_break: str, winner: int) -> None:
    outcome = GAME.outcome(position(f"W:Bh11 B:Bh2 captured=3/1 stock=7/8 {AGREED}", tie_break=tie_break))
    assert outcome is not None
    assert outcome.winner == winner


def test_r12_names_the_creator_of_the_last_base() -> None:
    outcome = GAME.outcome(play(position("W:Bh11 B:Bh2,Pg3 move=B left=5/1"), "Pg3d3"))
    assert outcome is not None
    assert outcome.text == "Black created the last Base. Black wins with 2 Realms to 1."
