"""The games: scripted dice, reading, odds, contests and follow-ups."""
