"""The use cases: create, join, move, look, replay. Pure: what comes from outside comes in through the ports."""
