"""Bots: programs that race through the ordinary protocol."""
