"""The server's face: WebSocket connections and HTTP, in the protocol's terms."""
