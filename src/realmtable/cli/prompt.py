"""Asks a person for a line: with completion and history on a terminal, plainly where input is piped."""

from __future__ import annotations

import sys


class Prompt:
    """The question at the terminal."""

    def __init__(self) -> None:
        self._session = None
        if sys.stdin.isatty() and sys.stdout.isatty():
            from prompt_toolkit import PromptSession  # noqa: PLC0415 - only where somebody types

            self._session = PromptSession[str]()

    def ask(self, question: str, words: list[str]) -> str:
        """One line; Tab completes the words. Raises EOFError when there is no more input."""
        if self._session is None:
            line = input(question)
            print(line)  # what was piped in is seen in the output
            return line
        from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415 - only where somebody types

        completer = WordCompleter(words, sentence=True, match_middle=False)
        return self._session.prompt(question, completer=completer, complete_while_typing=False)
