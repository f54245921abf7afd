package dev.belay.store.steer;

import dev.belay.domain.id.RunId;
import dev.belay.domain.plan.Retries;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.store.Arrays;
import dev.belay.store.Sql;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** One transaction that puts an ended run back into the queue. Tasks are locked before the run. */
final class Retrying {

  private Retrying() {}

  private record Ended(UUID id, TaskState state, boolean ran) {}

  static RunRetry retry(Handle handle, RunId run, String actor) {
    // Without locks first: the tasks of an open run are busy, and the answer is no.
    var seen = state(handle, "steer/find_run_state", run);
    if (seen.isEmpty() || !isRetried(seen.get())) {
      return refused(seen);
    }
    List<Ended> tasks = lockTasks(handle, run);
    var state = state(handle, "steer/lock_run", run);
    if (state.isEmpty() || !isRetried(state.get())) {
      return refused(state);
    }
    List<Ended> reset =
        tasks.stream().filter(task -> Retries.resets(task.state(), task.ran())).toList();
    reset(handle, reset, actor);
    RunTransitions.require(state.get(), RunState.QUEUED);
    handle
        .createUpdate(Sql.named("steer/requeue_run"))
        .bind("run", run.value())
        .bind("from", state.get().name())
        .bind("actor", actor)
        .execute();
    return new RunRetry.Done(reset.size());
  }

  private static boolean isRetried(RunState state) {
    return switch (state) {
      case FAILED, CANCELLED -> true;
      case QUEUED, RUNNING, SUCCEEDED -> false;
    };
  }

  private static RunRetry refused(Optional<RunState> state) {
    return state.<RunRetry>map(RunRetry.Refused::new).orElseGet(RunRetry.NotFound::new);
  }

  private static Optional<RunState> state(Handle handle, String statement, RunId run) {
    return handle
        .createQuery(Sql.named(statement))
        .bind("run", run.value())
        .mapTo(RunState.class)
        .findFirst();
  }

  private static List<Ended> lockTasks(Handle handle, RunId run) {
    return handle
        .createQuery(Sql.named("steer/lock_tasks_of_run"))
        .bind("run", run.value())
        .map(
            (row, context) ->
                new Ended(
                    row.getObject("id", UUID.class),
                    TaskState.valueOf(row.getString("state")),
                    row.getBoolean("ran")))
        .list();
  }

  private static void reset(Handle handle, List<Ended> tasks, String actor) {
    if (tasks.isEmpty()) {
      return;
    }
    tasks.forEach(task -> TaskTransitions.require(task.state(), TaskState.WAITING));
    var update = handle.createUpdate(Sql.named("steer/reset_tasks")).bind("actor", actor);
    Arrays.bind(update, "ids", UUID.class, tasks, Ended::id);
    Arrays.bind(update, "from_states", String.class, tasks, task -> task.state().name());
    update.execute();
  }
}
