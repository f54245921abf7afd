-- The row keeps the last leader's name even without a leader: the real one holds LEADER_LOCK (as pg_locks splits it).
SELECT CASE WHEN EXISTS (
         SELECT FROM pg_locks
         WHERE locktype = 'advisory' AND objsubid = 1 AND granted
           AND classid = CAST(x'62656C61' AS bigint) AND objid = 1
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
       THEN leader END AS leader,
       epoch, (SELECT max(CAST(version AS int)) FROM flyway_schema_history WHERE success) AS schema,
       current_setting('server_version') AS database
FROM leadership
