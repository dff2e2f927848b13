"""The stored ledger, on real databases."""
