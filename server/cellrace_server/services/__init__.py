"""What the server does with races: keeps their heads, commits their facts, books their results."""
