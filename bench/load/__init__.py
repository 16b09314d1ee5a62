"""A load generator that costs less than any server: sockets on epoll, frames made by hand, nothing in between."""
