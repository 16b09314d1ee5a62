"""The terminal program: lobby, races, practice, spectating, replays, daily deals and boards, with Textual."""
