package dev.belay.store.steer;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.port.Hints;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.gate.Gate;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels tasks and runs, retries runs, pauses and resumes workflows, removes workers. */
public final class Steering {

  private static final Logger log = LoggerFactory.getLogger(Steering.class);
  private static final Set<String> GIVEN_UP = Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  /** As long as it must be silent to get no more work. */
  private static final Duration REMOVABLE_SILENCE = Duration.ofSeconds(30);

  private static final List<String> IDLE =
      TaskTransitions.sourcesOf(TaskState.CANCELLED).stream()
          .filter(state -> state.kind() == TaskState.Kind.IDLE)
          .map(Enum::name)
          .toList();

  private final Jdbi jdbi;
  private final Hints hints;

  public Steering(Jdbi jdbi, Hints hints) {
    this.jdbi = jdbi;
    this.hints = hints;
  }

  public Cancel cancelTask(TaskId id, String actor) {
    var after = new After();
    var answer =
        Retry.on(
            GIVEN_UP,
            () -> {
              after.clear();
              return jdbi.inTransaction(handle -> cancelTask(handle, id, actor, after));
            });
    after.hint(hints);
    return answer;
  }

  /** Forgets a worker; what it still held ends {@code worker_gone}. */
  public Removal removeWorker(WorkerId id) {
    return jdbi.inTransaction(
        handle -> {
          int removed =
              handle
                  .createUpdate(Sql.named("steer/remove_worker"))
                  .bind("worker", id.value())
                  .bind("silence_seconds", REMOVABLE_SILENCE.toSeconds())
                  .execute();
          if (removed > 0) {
            return Removal.REMOVED;
          }
          return handle
                  .createQuery(Sql.named("steer/find_worker"))
                  .bind("worker", id.value())
                  .mapTo(Integer.class)
                  .findOne()
                  .isPresent()
              ? Removal.ALIVE
              : Removal.NOT_FOUND;
        });
  }

  /** The planner cancels what is idle in the run; what is active is asked to end here. */
  public Cancel cancelRun(RunId id, String actor) {
    var after = new After();
    var answer =
        Retry.on(
            GIVEN_UP,
            () -> {
              after.clear();
              return jdbi.inTransaction(handle -> cancelRun(handle, id, actor, after));
            });
    after.hint(hints);
    return answer;
  }

  /** What failed in the run is tried again, once it is its turn. */
  public RunRetry retryRun(RunId id, String actor) {
    var answer =
        Retry.on(GIVEN_UP, () -> jdbi.inTransaction(handle -> Retrying.retry(handle, id, actor)));
    if (answer instanceof RunRetry.Done) {
      hints.runChanged();
    }
    return answer;
  }

  /** Runs that go on are not touched; no other one starts. Empty when there is no such workflow. */
  public Optional<Control> pause(String tenant, String workflow, String actor) {
    return jdbi.inTransaction(
        handle -> {
          int paused =
              handle
                  .createUpdate(Sql.named("steer/pause_workflow"))
                  .bind("tenant", tenant)
                  .bind("name", workflow)
                  .bind("actor", actor)
                  .execute();
          say(paused, tenant, workflow, actor, "workflow paused");
          return control(handle, tenant, workflow);
        });
  }

  public Optional<Control> resume(String tenant, String workflow, String actor) {
    var answer =
        Retry.on(
            GIVEN_UP, () -> jdbi.inTransaction(handle -> resume(handle, tenant, workflow, actor)));
    hints.runChanged();
    return answer;
  }

  private static Optional<Control> resume(
      Handle handle, String tenant, String workflow, String actor) {
    int resumed =
        handle
            .createUpdate(Sql.named("steer/resume_workflow"))
            .bind("tenant", tenant)
            .bind("name", workflow)
            .execute();
    if (resumed > 0) {
      Gate.ofWritten(handle, tenant, workflow).release();
    }
    say(resumed, tenant, workflow, actor, "workflow resumed");
    return control(handle, tenant, workflow);
  }

  private static void say(int changed, String tenant, String workflow, String actor, String what) {
    if (changed > 0) {
      log.atInfo()
          .addKeyValue("tenant", tenant)
          .addKeyValue("workflow", workflow)
          .addKeyValue("actor", actor)
          .log(what);
    }
  }

  private static Optional<Control> control(Handle handle, String tenant, String workflow) {
    return handle
        .createQuery(Sql.named("steer/find_control"))
        .bind("tenant", tenant)
        .bind("name", workflow)
        .map(
            (row, context) -> {
              var pausedAt = row.getObject("paused_at", OffsetDateTime.class);
              return new Control(
                  row.getString("tenant"),
                  row.getString("name"),
                  pausedAt != null,
                  pausedAt == null ? null : pausedAt.toInstant(),
                  row.getString("paused_by"),
                  row.getObject("max_active", Integer.class));
            })
        .findFirst();
  }

  private static Cancel cancelTask(Handle handle, TaskId id, String actor, After after) {
    var locked = lock(handle, id);
    if (locked == null) {
      return new Cancel.NotFound();
    }
    return switch (locked.state().kind()) {
      case IDLE -> {
        handle
            .createUpdate(Sql.named("steer/cancel_task"))
            .bind("id", id.value())
            .bind("from", locked.state().name())
            .bindArray("idle", String.class, IDLE)
            .bind("actor", actor)
            .execute();
        after.runChanged = locked.run() != null;
        yield new Cancel.Done();
      }
      case ACTIVE -> {
        handle
            .createUpdate(Sql.named("steer/abort_dispatch"))
            .bind("dispatch", Objects.requireNonNull(locked.dispatch()))
            .execute();
        after.workers.add(Objects.requireNonNull(locked.worker()));
        yield new Cancel.Asked();
      }
      case TERMINAL -> new Cancel.AlreadyOver(locked.state().name());
    };
  }

  private static Cancel cancelRun(Handle handle, RunId id, String actor, After after) {
    var workers =
        handle
            .createQuery(Sql.named("steer/abort_dispatches_of_run"))
            .bind("run", id.value())
            .mapTo(UUID.class)
            .list();
    var asked =
        handle
            .createQuery(Sql.named("steer/request_run_cancel"))
            .bind("run", id.value())
            .bind("actor", actor)
            .mapTo(UUID.class)
            .findFirst();
    after.workers.addAll(workers);
    after.runChanged = asked.isPresent();
    if (asked.isPresent()) {
      return new Cancel.Asked();
    }
    return handle
        .createQuery(Sql.named("steer/find_run_state"))
        .bind("run", id.value())
        .mapTo(RunState.class)
        .findFirst()
        .<Cancel>map(
            state -> state.isTerminal() ? new Cancel.AlreadyOver(state.name()) : new Cancel.Asked())
        .orElseGet(Cancel.NotFound::new);
  }

  private static @Nullable Locked lock(Handle handle, TaskId id) {
    return handle
        .createQuery(Sql.named("steer/lock_task"))
        .bind("id", id.value())
        .map(
            (row, context) ->
                new Locked(
                    TaskState.valueOf(row.getString("state")),
                    row.getObject("run_id", UUID.class),
                    row.getObject("dispatch_id", UUID.class),
                    row.getObject("worker_id", UUID.class)))
        .findFirst()
        .orElse(null);
  }

  private record Locked(
      TaskState state, @Nullable UUID run, @Nullable UUID dispatch, @Nullable UUID worker) {}

  /** Whom to hint once the transaction is committed. */
  private static final class After {
    private final Set<UUID> workers = new HashSet<>();
    private boolean runChanged;

    void clear() {
      workers.clear();
      runChanged = false;
    }

    void hint(Hints hints) {
      workers.forEach(worker -> hints.mailbox(new WorkerId(worker)));
      if (runChanged) {
        hints.runChanged();
      }
    }
  }
}
