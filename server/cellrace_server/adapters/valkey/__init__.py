"""An embedded Valkey: started, watched and stopped by the server itself, for hosts who name no store.

Knows nothing of the redis library nor of cellrace's data: it hands out a URL and keeps what is there alive.
"""

from cellrace_server.adapters.valkey.errors import (
    DataDirectoryBusy,
    DataDirectoryUnusable,
    EmbeddedStoreError,
    LeftoverValkey,
    ValkeyFailed,
    ValkeyMissing,
)
from cellrace_server.adapters.valkey.supervisor import EmbeddedValkey

__all__ = [
    "DataDirectoryBusy",
    "DataDirectoryUnusable",
    "EmbeddedStoreError",
    "EmbeddedValkey",
    "LeftoverValkey",
    "ValkeyFailed",
    "ValkeyMissing",
]
