-- Refuses the session when the schema is newer than the code. An empty database has no version yet.
DO $$
DECLARE found int;
BEGIN
  IF to_regclass('flyway_schema_history') IS NOT NULL THEN
    SELECT max(CAST(version AS int)) INTO found FROM flyway_schema_history WHERE success;
    IF found > :known THEN
      RAISE EXCEPTION USING ERRCODE = 'SCHEM', MESSAGE =
        format('the schema of the database is at version %s, this server knows %s: update this server', found, :known);
    END IF;
  END IF;
END $$
