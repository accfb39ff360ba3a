"""Steps, turns and positions as text, and back."""
