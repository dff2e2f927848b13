"""IRC connections: everything that the `irc` package leaves out."""
