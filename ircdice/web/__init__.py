"""The web page: verify, odds, logs, statistics and proofs (docs/howto/web.md)."""
