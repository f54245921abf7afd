package dev.belay.simulation.model;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.statement.DeadLetterStatements.Retried;
import org.jspecify.annotations.Nullable;

/** A row of the table dead_letter, without the request. */
record DeadLetterRow(
    DeadLetterId id,
    TaskId task,
    int generation,
    DeadLetterReason reason,
    @Nullable DeadLetterId retryOf,
    @Nullable Retried retried) {

  DeadLetterRow retried(Retried by) {
    return new DeadLetterRow(id, task, generation, reason, retryOf, by);
  }
}
