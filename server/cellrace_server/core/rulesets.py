"""Rule sets as text: a preset's name, with the fields that differ: `classic`, `pocket+cells=2`."""
