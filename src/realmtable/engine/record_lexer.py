"""Split a record into headers and tokens: turn numbers, turns, comments and the brackets of variations.

The lexer is lenient: text that is clearly not a turn becomes a warning instead of an error.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["turn", "number", "comment", "open", "close", "warning"]

_HEADER = re.compile(r"([A-Z][A-Za-z0-9-]{0,30}):[ \t]*(\S.*|)")
_SET_UP = re.compile(r"(?i)set.{0,2}up:?")
_NUMBER = re.compile(r"(\d{1,4})\.+")
_REMARK = re.compile(r"(?i)(wins|draws?|drawn|resigns|\d+-\d+)[.!]*")
RUNNING_SUFFIX = "..."  # follows the steps of an incomplete turn
_BREAKS = " \t\r\n{}[]/#"
_SPACED_BREAKS = "\r\n{}[]/#"


class Token(NamedTuple):
    """A token of a record's body; the text of a warning is the message."""

    kind: Kind
    text: str
    line: int


class HeaderLine(NamedTuple):
    """A header and its line number, counted from 1."""

    line: int
    name: str
    value: str


def header_lines(text: str) -> list[HeaderLine]:
    """Return every header line, including repeated names."""
    found: list[HeaderLine] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        header = _HEADER.fullmatch(line.strip())
        if header is not None and not _SET_UP.match(line.strip()):
            found.append(HeaderLine(number, header[1], header[2].strip()))
        elif found or line.strip():
            break
    return found


def split_headers(text: str) -> tuple[dict[str, str], str, int]:
    """Split a record into its headers, its body and the line number of the body, counted from 1."""
    headers: dict[str, str] = {}
    found, lines = header_lines(text), text.removeprefix("\ufeff").splitlines()
    for _, name, value in found:
        headers.setdefault(name, value)
    start = found[-1].line if found else next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    return headers, "\n".join(lines[start:]), min(start + 1, len(lines))


def lex(body: str, line: int, *, spaced: bool = False) -> list[Token]:
    """Split a body that starts at `line` into tokens; if `spaced`, only ``/`` and line ends separate turns."""
    return _Lexer(body, line, _SPACED_BREAKS if spaced else _BREAKS).tokens()


class _Lexer:
    def __init__(self, body: str, line: int, breaks: str) -> None:
        self.body = body
        self.breaks = breaks
        self.line = line
        self.at = 0
        self.found: list[Token] = []
        self.open_comma = False  # the latest turn ended with a comma: the next word continues it
        self.parts: list[str] = []  # the words of the latest turn, joined once it is complete
        self.turn_at = 0  # the index of that turn in `found`

    def tokens(self) -> list[Token]:
        while self.at < len(self.body):
            self.lex_next()
        self.drop_comma()
        self.join_parts()
        return self.found

    def add(self, kind: Kind, text: str) -> None:
        self.found.append(Token(kind, text, self.line))

    def lex_next(self) -> None:
        sign = self.body[self.at]
        if sign in " \t\r\n":
            self.skip(sign)
        elif sign == "/":
            self.at += 1
            self.drop_comma()
        elif sign == "{":
            self.lex_comment("}")
        elif sign == "#":
            self.lex_comment("\n")
        elif sign == "(":
            self.add("warning", "Text in round brackets is read as a comment; use braces for comments.")
            self.lex_comment(")")
        elif sign in "[]":
            self.at += 1
            self.drop_comma()
            self.add("open" if sign == "[" else "close", sign)
        elif sign == "}":
            self.at += 1
            self.add("warning", "A closing brace without an opening one is ignored.")
        else:
            self.lex_word()

    def skip(self, sign: str) -> None:
        self.at += 1
        self.line += sign == "\n"

    def lex_comment(self, closing: str) -> None:
        end = self.body.find(closing, self.at)
        text = self.body[self.at + 1 : end if end >= 0 else len(self.body)]
        if end < 0 and closing != "\n":
            self.add("warning", "A comment is not closed; the rest of the record is read as a comment.")
        self.drop_comma()
        self.add("comment", " ".join(text.split()))
        self.line += text.count("\n")
        self.at += len(text) + (1 if closing == "\n" else 2)

    def drop_comma(self) -> None:
        if self.open_comma:
            self.open_comma = False
            self.add("warning", "A comma at the end of a turn is ignored.")

    def lex_word(self) -> None:
        text = self.scan_word().rstrip()
        if found := _NUMBER.match(text):
            self.drop_comma()
            self.add("number", found[1])
            text = text[found.end() :].lstrip()
        if _SET_UP.fullmatch(text):
            if text != "Set-up:":
                self.add("warning", f"{text} is read as the heading Set-up:.")
        elif text == "-" and self.breaks != _SPACED_BREAKS:  # where steps are words, it may be one of them
            self.add("warning", "A single dash is ignored.")
        elif _REMARK.fullmatch(text):
            self.add("warning", f"{text} is read as a remark.")
        elif text != RUNNING_SUFFIX and text:
            self.add_turn_text(text if text.endswith(RUNNING_SUFFIX) else text.rstrip(".;"))

    def scan_word(self) -> str:
        """Return the next word: up to a break, or past spaces to the closing parenthesis or the end of the line."""
        start = self.at
        depth = 0
        while self.at < len(self.body):
            sign = self.body[self.at]
            depth += (sign == "(") - (sign == ")")
            if sign == "\n" or (sign in self.breaks and (depth <= 0 or sign not in " \t")):
                break
            self.at += 1
        return self.body[start : self.at]

    def add_turn_text(self, text: str) -> None:
        comma = text.endswith(",")
        text = text.strip(",")
        if not text:
            return
        if self.open_comma and self.found[-1].kind == "turn":
            self.parts.append(text)
        else:
            self.join_parts()
            self.turn_at, self.parts = len(self.found), [text]
            self.add("turn", text)
        self.open_comma = comma

    def join_parts(self) -> None:
        """Set the full text of the latest turn; joining word by word would take quadratic time."""
        if len(self.parts) > 1:
            self.found[self.turn_at] = self.found[self.turn_at]._replace(text=",".join(self.parts))
