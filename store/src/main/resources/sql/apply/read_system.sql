SELECT source, spec_hash
FROM system_file
