"""Conversations that a server has to lead as the specification says, and a runner that leads them."""

from cellrace_client.conformance.conversation import Conversation, conversations
from cellrace_client.conformance.runner import Verdict, run

__all__ = ["Conversation", "Verdict", "conversations", "run"]
