"""What the services need of the world, as small protocols. Adapters provide them, tests have twins in memory.

Every port's contract is checked by one suite in `tests/server/contracts`, run on every adapter.
"""
