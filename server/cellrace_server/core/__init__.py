"""The race as a fold over numbered facts: pure functions over frozen values, time passed in."""
