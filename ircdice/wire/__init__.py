"""The wire: IRC connections, and what the `irc` package leaves out."""
