"""The terminal program without a screen: lines in, lines out, for screen readers and for pipes."""
