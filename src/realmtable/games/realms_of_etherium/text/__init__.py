"""What players read: prompts, descriptions, news, notes, reasons and points."""
