package dev.belay.store.read;

import org.jspecify.annotations.Nullable;

/**
 * The current leader.
 *
 * @param schema the version of the database's schema
 * @param database the version of PostgreSQL
 */
public record Leadership(@Nullable String leader, long epoch, int schema, String database) {}
