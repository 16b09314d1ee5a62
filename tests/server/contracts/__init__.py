"""One suite a port: what every adapter of it has to do. Each runs on the twins in memory and on a real Valkey."""
