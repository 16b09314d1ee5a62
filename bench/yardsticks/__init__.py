"""Servers to measure ours against: each a module to run, which says `port N` when it is ready."""
