"""What can be read over HTTP as JSON (`cellrace_protocol.api`)."""
