package dev.belay.domain.wait;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What may keep a run from starting.
 *
 * @param since when it was created
 * @param running RUNNING runs of its workflow
 */
public record RunTurn(
    RunState state,
    String workflow,
    Instant since,
    @Nullable Instant pausedAt,
    @Nullable Integer maxActive,
    int running) {}
