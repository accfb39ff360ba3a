"""Templates, styles and scripts of the browser table: files only, and none of them knows a game or a rule."""
