"""The client for programs with asyncio. `python make_sync.py` makes the client without it from these files."""
