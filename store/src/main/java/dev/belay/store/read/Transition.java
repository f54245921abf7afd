package dev.belay.store.read;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of the history of a task or a run.
 *
 * @param from null for the first one
 */
public record Transition(
    @Nullable String from,
    String to,
    String reason,
    String actor,
    @Nullable UUID dispatch,
    Instant at) {}
