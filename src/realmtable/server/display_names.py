"""Display names: which are allowed, and when two of them look alike."""

from __future__ import annotations

import re
import secrets
import unicodedata

from realmtable.engine.errors import BadInput
from realmtable.server.confusables import LATIN_LOOK, STROKES

MIN_LENGTH, MAX_LENGTH = 2, 24
PUNCTUATION = " -_.'"
# Unicode counts these as letters, but they are invisible: a name could look empty or like another player's.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
# Japanese names need these two; other modifier letters look like punctuation.
MODIFIERS = frozenset("ー々")
# Scripts that may be mixed in one name because they do not look alike.
EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "BOPOMOFO"})
# Characters that look alike in many fonts, folded after casefolding.
FOLD_LOOK_ALIKES = str.maketrans({"0": "o", "1": "l", "i": "l"} | dict.fromkeys(PUNCTUATION))
ACCENTS = re.compile("[\u0300-\u036f]+")  # of Latin, Greek and Cyrillic letters, in decomposed text
# Pairs of letters that look like one letter.
LOOK_ALIKE_PAIRS = (("rn", "m"), ("vv", "w"))

MOODS = """
    Bold Brave Bright Calm Clever Cosy Daring Eager Fair Fleet Gentle Glad Golden Happy Hardy Honest Jolly Keen Kind
    Lively Lucky Mellow Merry Mild Modest Nimble Noble Patient Plucky Polite Proud Quick Quiet Ready Silver Smart
    Sober Steady Sunny Swift Tidy Warm Wise Witty
""".split()  # noqa: SIM905 - a list of words reads best as words
BIRDS = """
    Bittern Bunting Crane Curlew Dipper Dove Dunlin Egret Falcon Finch Gannet Godwit Goose Grebe Harrier Heron Ibis
    Jay Kestrel Kite Lapwing Lark Linnet Magpie Martin Merlin Nightjar Oriole Osprey Owl Petrel Pipit Plover Puffin
    Quail Raven Robin Rook Siskin Snipe Starling Stork Swallow Swan Swift Tern Thrush Wren
""".split()  # noqa: SIM905 - a list of words reads best as words


def random_name() -> str:
    """Return a random name for a new guest, such as "Calm Heron 42"."""
    return f"{secrets.choice(MOODS)} {secrets.choice(BIRDS)} {10 + secrets.randbelow(90)}"


def clean_name(name: str) -> str:
    """Return the name in normalised form; raise BadInput if it is not allowed.

    >>> clean_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    cleaned = " ".join(unicodedata.normalize("NFKC", name[: 4 * MAX_LENGTH]).replace("\u2019", "'").split())
    if not MIN_LENGTH <= len(cleaned) <= MAX_LENGTH or len(name) > 4 * MAX_LENGTH:
        raise BadInput(f"A name must have {MIN_LENGTH} to {MAX_LENGTH} characters.")
    if not cleaned[0].isalnum() or not all(_is_allowed_at(cleaned, index) for index in range(len(cleaned))):
        raise BadInput("A name starts with a letter or digit and contains only letters, digits, spaces and - _ . '")
    if len(_scripts(cleaned)) > 1:
        raise BadInput("A name cannot mix letters of different scripts.")
    return cleaned


def key(name: str) -> str:
    """Return a key that all spellings of a name share; empty if the name is not allowed. Never raises.

    >>> key("Ada Lovelace") == key("ADA_LOVELACE") == key("Ada L0velace")
    True
    """
    try:
        return unicodedata.normalize("NFKC", clean_name(name).casefold()).translate(FOLD_LOOK_ALIKES)
    except BadInput:
        return ""


def skeleton(name: str) -> str:
    r"""Return a key shared by names that look alike in any script; empty if the name is not allowed. Never raises.

    >>> skeleton("\u0421\u043e\u0441\u043e") == skeleton("Coco") == skeleton("Coc\u00f3")  # the first is in Cyrillic
    True
    """
    try:
        latin = _strip_accents(clean_name(name)).translate(LATIN_LOOK)
    except BadInput:
        return ""
    folded = unicodedata.normalize("NFKC", latin.casefold()).translate(STROKES).translate(FOLD_LOOK_ALIKES)
    for pair, single in LOOK_ALIKE_PAIRS:
        folded = folded.replace(pair, single)
    return folded


def _strip_accents(name: str) -> str:
    """Return the name without accents; the vowel signs of other scripts stay, since they make other words."""
    return unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFD", name)))


def _is_allowed_at(name: str, index: int) -> bool:
    sign = name[index]
    if sign in PUNCTUATION or sign in MODIFIERS:
        return True
    if unicodedata.category(sign) in {"Mn", "Mc"}:  # vowel signs of Indic scripts, but no stacked accents
        return sign not in INVISIBLE and unicodedata.category(name[index - 1]) == "Lo"
    return sign not in INVISIBLE and unicodedata.category(sign) in {"Lu", "Ll", "Lt", "Lo", "Nd"}


def _scripts(name: str) -> set[str]:
    words = {unicodedata.name(sign, "UNNAMED").split(" ")[0].split("-")[0] for sign in name if sign.isalpha()}
    return {"EAST ASIAN" if word in EAST_ASIAN else word for word in words}
