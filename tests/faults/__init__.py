"""The whole bot, as a process on a real server, and what becomes of rolls when something breaks."""
