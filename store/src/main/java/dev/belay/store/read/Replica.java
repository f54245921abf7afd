package dev.belay.store.read;

import java.time.Instant;

/**
 * A replica of the server.
 *
 * @param seenAt its last heartbeat
 */
public record Replica(String name, Instant seenAt) {}
