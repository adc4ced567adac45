"""Redis: where games are kept, and the private server of a local run."""
