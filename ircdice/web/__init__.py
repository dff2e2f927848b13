"""The page: verify, odds, logs, statistics and proofs for those who would rather look than type (docs/howto/web.md)."""
