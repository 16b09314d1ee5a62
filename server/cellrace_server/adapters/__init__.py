"""The world behind the ports."""
