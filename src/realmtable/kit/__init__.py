"""Parts that games share and may call: boards, drawing, the compile switch. Never a base class."""
