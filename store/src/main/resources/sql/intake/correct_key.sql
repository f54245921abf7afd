-- In the transaction that claimed the key: some of its tasks were there before.
UPDATE idempotency SET ids = CAST(:ids AS uuid[]) WHERE tenant = :tenant AND key = :key
