package dev.belay.store.read;

import org.jspecify.annotations.Nullable;

/**
 * Who plans now.
 *
 * @param database the version of PostgreSQL
 */
public record Leadership(@Nullable String leader, long epoch, String database) {}
