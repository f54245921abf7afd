package dev.belay.server.api;

import dev.belay.domain.id.Ids;
import dev.belay.engine.port.Hints;
import dev.belay.store.intake.RunIntake;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.read.Reads;
import dev.belay.store.steer.Steering;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementExceptions;

/** What the API needs of the database. */
public record RestStore(
    Reads reads, TaskIntake tasks, WorkflowIntake workflows, RunIntake runs, Steering steering) {

  public static RestStore of(Jdbi jdbi, Ids ids, Hints hints) {
    // The arguments of a failed statement hold the environment of tasks, which is nobody's
    // business.
    jdbi.configure(
        StatementExceptions.class,
        exceptions -> exceptions.setMessageRendering(StatementExceptions.MessageRendering.NONE));
    return new RestStore(
        new Reads(jdbi),
        new TaskIntake(jdbi, ids, hints),
        new WorkflowIntake(jdbi, ids),
        new RunIntake(jdbi, ids, hints),
        new Steering(jdbi, hints));
  }
}
