"""What the game is doing: one small class a mode, which owns its keys and says what follows."""
