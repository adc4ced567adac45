"""Upcard: gin rummy matches over HTTP, for other people's apps."""
