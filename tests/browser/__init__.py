"""Browser tests: a real Chromium on a real server, driven by mouse, touch and keyboard."""
