"""What is read as a command, and what is met with silence or a hint."""
