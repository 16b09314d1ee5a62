"""The ports of the server on Redis or Valkey. The only place that knows the redis library."""

from cellrace_server.adapters.redis.store import RedisStore

__all__ = ["RedisStore"]
