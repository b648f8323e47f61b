# Made by `python make_sync.py` from selvedge/_async. Do not edit: change it there, and make it again.
"""The client for programs without asyncio. `python make_sync.py` makes the client without it from these files."""
