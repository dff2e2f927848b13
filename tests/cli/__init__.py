"""The command line, and how the bot is deployed."""
