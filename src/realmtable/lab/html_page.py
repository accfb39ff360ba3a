"""Renders the self-contained HTML pages of matches, balance experiments and analyses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def render_template(template: str, context: dict[str, Any], **filters: Callable[..., Any]) -> str:
    """Render a template of the lab with extra filters."""
    environment = Environment(loader=PackageLoader("realmtable.lab", ""), autoescape=True, undefined=StrictUndefined)
    environment.filters |= {"number": lambda number: f"{number:,}", **filters}
    return environment.get_template(template).render(context)
