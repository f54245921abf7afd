-- For the rest of the transaction: the times in JSON have the offset of the session's zone.
SELECT set_config('TimeZone', 'UTC', true)
