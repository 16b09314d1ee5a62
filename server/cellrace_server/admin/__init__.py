"""What a host can do with a running server: a socket that only they can open, and the program that speaks to it."""
