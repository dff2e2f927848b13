"""The wire: what lies between the bot and IRC servers. Knows no rules, no grammar and no ledger."""
