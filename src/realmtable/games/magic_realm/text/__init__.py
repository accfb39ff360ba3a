"""What players read: prompts, labels, descriptions, news, reasons, panels and scores."""
