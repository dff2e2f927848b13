"""The rules of each game, pure: a node and dice give an outcome, a node gives exact odds."""
