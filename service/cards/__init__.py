"""Cards, sets of cards, melds, deadwood, and a shuffle that anybody can check. Pure: no I/O, clock or randomness."""
