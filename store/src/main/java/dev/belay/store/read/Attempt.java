package dev.belay.store.read;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One dispatch of a task and its outcome.
 *
 * @param abortReason why it was asked to end; with it: when, by whom, and that person's note
 * @param outputLost bytes of output that the worker could not store
 */
public record Attempt(
    UUID dispatch,
    int number,
    int generation,
    UUID worker,
    @Nullable String workerName,
    UUID session,
    long epoch,
    Instant dispatchedAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String endReason,
    @Nullable Integer exitCode,
    @Nullable Integer signal,
    @Nullable String detail,
    @Nullable String abortReason,
    @Nullable Instant abortAt,
    @Nullable String abortBy,
    @Nullable String abortNote,
    @Nullable String lateOutcome,
    @Nullable Instant lastHeardAt,
    @Nullable Long outputLost) {}
