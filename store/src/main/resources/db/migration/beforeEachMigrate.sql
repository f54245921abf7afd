-- Flyway runs this in the transaction of the migrations, and only when there are some. It ends the sessions of servers, which hold
-- the schema's lock shared (SchemaLock.java), and takes the lock alone until the transaction is over. It tries again while sessions
-- that were opened meanwhile hold the lock; those that come while it waits stand behind it. A person's session that holds a table
-- must not stop all servers: after 10 s the migration is given up, and the old servers go on.
DO $$
BEGIN
  FOR tries IN 1..10 LOOP
    BEGIN
      SET LOCAL lock_timeout = '1s';
      PERFORM pg_terminate_backend(pid)
      FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND classid = CAST(x'62656C61' AS bigint) AND objid = 3
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND pid <> pg_backend_pid();
      PERFORM pg_advisory_xact_lock(CAST(x'62656C6100000003' AS bigint));
      PERFORM set_config('lock_timeout', coalesce(nullif(current_setting('belay.migration_lock_wait', true), ''), '10s'), true);
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      CONTINUE;
    END;
  END LOOP;
  RAISE EXCEPTION 'the sessions of other servers do not end';
END $$;
