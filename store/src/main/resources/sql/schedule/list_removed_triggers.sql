SELECT t.id, t.name, ended.until_at AS removed_at
FROM trigger t
CROSS JOIN LATERAL (
  SELECT v.until_at
  FROM trigger_version v
  WHERE v.trigger_id = t.id
  ORDER BY v.until_at DESC NULLS FIRST
  LIMIT 1
) AS ended
WHERE t.tenant = :tenant AND t.workflow = :workflow AND ended.until_at IS NOT NULL
ORDER BY ended.until_at DESC, t.id
LIMIT :limit
