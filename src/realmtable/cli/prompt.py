"""Prompts for a line: with completion and history on a terminal, plainly if input is piped."""

from __future__ import annotations

import sys


class Prompt:
    """Prompts the player for input."""

    def __init__(self) -> None:
        self._session = None
        if sys.stdin.isatty() and sys.stdout.isatty():
            from prompt_toolkit import PromptSession  # noqa: PLC0415 - only for interactive use

            self._session = PromptSession[str]()

    def ask(self, question: str, words: list[str]) -> str:
        """Read one line; Tab completes `words`. Raises EOFError at the end of input."""
        if self._session is None:
            line = input(question)
            print(line)  # show piped input in the output
            return line
        from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415 - only for interactive use

        completer = WordCompleter(words, sentence=True, match_middle=False)
        return self._session.prompt(question, completer=completer, complete_while_typing=False)
