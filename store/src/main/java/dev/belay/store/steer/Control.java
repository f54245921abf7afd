package dev.belay.store.steer;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is in force for a workflow.
 *
 * @param maxActive null means no limit
 */
public record Control(
    String tenant,
    String name,
    boolean paused,
    @Nullable Instant pausedAt,
    @Nullable String pausedBy,
    @Nullable Integer maxActive) {}
