"""Rulebooks: one pure state machine a game, strangers to each other, behind one protocol."""
