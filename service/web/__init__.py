"""The web floor: Flask, and nothing that knows a rule or a key."""
