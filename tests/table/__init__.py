"""What happens in a channel, as scripts of what is typed and answered."""
