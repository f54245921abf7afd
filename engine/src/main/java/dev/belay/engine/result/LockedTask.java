package dev.belay.engine.result;

import dev.belay.domain.settle.Tries;
import dev.belay.domain.task.TaskState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task under its row lock, seen from one of its dispatches.
 *
 * @param isCurrent the dispatch is the task's current one
 * @param ofGeneration it was claimed in the task's present generation: a retry keeps the dispatch
 * @param attemptEnded the attempt of this dispatch is over already
 */
public record LockedTask(
    UUID id,
    TaskState state,
    UUID worker,
    UUID session,
    boolean isCurrent,
    boolean ofGeneration,
    boolean attemptEnded,
    @Nullable String abortReason,
    Tries tried) {}
