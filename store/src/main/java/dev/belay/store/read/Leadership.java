package dev.belay.store.read;

import org.jspecify.annotations.Nullable;

/**
 * The current leader.
 *
 * @param database the version of PostgreSQL
 */
public record Leadership(@Nullable String leader, long epoch, String database) {}
