"""The page (web.md)."""
