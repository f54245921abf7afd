package dev.belay.engine.port;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * A task that was given up, and whose dead letter is written.
 *
 * @param topic null when the task names none
 */
public record DeadLettered(TaskId task, DeadLetterReason reason, @Nullable String topic) {}
