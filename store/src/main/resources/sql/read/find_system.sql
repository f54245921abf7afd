SELECT source, applied_at, applied_by
FROM system_file
