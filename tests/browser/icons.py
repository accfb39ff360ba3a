"""Draw the PNG icons of the installed site from icon.svg. Run it again after a change of the icon.

python -m tests.browser.icons
"""

from __future__ import annotations

import base64
from typing import Final

from playwright.sync_api import sync_playwright

from realmtable.server.site.static_files import FOLDER
from tests.browser.visitor import launch

BACKGROUND: Final = "#18232c"
# By name: the size in pixels, and the share that the picture takes. Systems cut the corners of some icons.
ICONS: Final = {
    "icon_192.png": (192, 1.0),
    "icon_512.png": (512, 1.0),
    "icon_maskable.png": (512, 0.82),
    "icon_apple.png": (180, 0.96),
}


def main() -> None:
    """Write all icons into the folder of static files."""
    picture = base64.b64encode((FOLDER / "icon.svg").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (size, share) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = BACKGROUND if share < 1 else "transparent"
            page.set_content(
                f"<style>body{{margin:0;height:100vh;display:grid;place-items:center;background:{ground}}}</style>"
                f'<img src="data:image/svg+xml;base64,{picture}" width="{size * share}" height="{size * share}">'
            )
            page.screenshot(path=FOLDER / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
