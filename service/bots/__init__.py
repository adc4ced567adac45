"""Computer players: a policy is handed a seat's view and chooses a move. It cannot name the state behind the view."""
