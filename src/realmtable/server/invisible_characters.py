"""Removes invisible characters that change how other people's text appears.

Bidirectional controls can reorder a line so that it seems to say something else; other characters hide letters or split
words to evade filters. Characters that scripts need are kept: the joiners of Persian, Indic scripts and emoji, and line
breaks.
"""

from __future__ import annotations

import re
from typing import Final

from pydantic import AfterValidator

HIDDEN: Final = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls
    "\u00ad\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb"  # soft hyphens and zero-width spaces
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidirectional controls
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # shorthand, music, tags
    "\ue000-\uf8ff\U000f0000-\U0010ffff"  # private use
    "]+"
)


def strip_invisible(text: str) -> str:
    r"""Return the text without invisible characters.

    >>> strip_invisible("abc\u202edef\u2066\u200f\x07\r\n")
    'abcdef\r\n'
    """
    is_plain = text.isascii() and text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable()
    return text if is_plain else HIDDEN.sub("", text)


Visible = AfterValidator(strip_invisible)  # for request fields: Annotated[str, Visible]
