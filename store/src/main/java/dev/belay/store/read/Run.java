package dev.belay.store.read;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run as it is now. */
public record Run(
    UUID id,
    String tenant,
    String workflow,
    int version,
    RunState state,
    @Nullable String reason,
    Json params,
    int generation,
    Instant createdAt,
    String createdBy,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant cancelRequestedAt) {}
