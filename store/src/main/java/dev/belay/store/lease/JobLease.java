package dev.belay.store.lease;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a periodic job, for people.
 *
 * @param holder the replica that runs the job now
 * @param token rises with each acquisition
 * @param acquiredAt when the current run began, or else the last one
 * @param finishedAt when the last run ended with this outcome
 * @param doneAt when a run was last done
 */
public record JobLease(
    String name,
    @Nullable String holder,
    long token,
    @Nullable Instant acquiredAt,
    @Nullable Instant renewedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant finishedAt,
    @Nullable String outcome,
    @Nullable Instant doneAt,
    Instant nextDueAt) {}
