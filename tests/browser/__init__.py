"""People at the table: a real Chromium on a real server, driven by mouse, finger and keys."""
