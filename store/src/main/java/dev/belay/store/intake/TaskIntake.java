package dev.belay.store.intake;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.Ids;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.steer.Termination;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.Timers;
import dev.belay.store.Unnest;
import dev.belay.store.intake.Keys.Claimed;
import dev.belay.store.intake.UniqueTasks.Fresh;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accepts standalone tasks. */
public final class TaskIntake {

  private static final Set<String> GIVEN_UP = Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;
  private final Meters meters;
  private final Function<Handle, Statements> statements;

  /**
   * @param statements of the transaction of a submit, which may replace a task
   */
  public TaskIntake(
      Jdbi jdbi, Ids ids, Hints hints, Meters meters, Function<Handle, Statements> statements) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
    this.meters = meters;
    this.statements = statements;
  }

  /** Stores each batch, or finds the tasks behind its key; returns after commit. */
  public Submission submit(List<Batch> batches, String actor) {
    var byKey = new HashMap<String, Pending>();
    var inOrder = new ArrayList<Pending>();
    for (var batch : batches) {
      var key = batch.key();
      var pending =
          key == null ? pending(batch) : byKey.computeIfAbsent(name(key), _ -> pending(batch));
      if (!Objects.equals(key, pending.batch().key())) {
        return new Submission.KeyConflict(List.of(Objects.requireNonNull(key).value()));
      }
      inOrder.add(pending);
    }
    var stored = Retry.on(GIVEN_UP, () -> store(inOrder, actor));
    if (stored.submission() instanceof Submission.Accepted) {
      hint(inOrder);
      stored.replaced().forEach(this::tell);
    }
    return stored.submission();
  }

  /**
   * @param replaced what ending replaced tasks wrote
   */
  private record Stored(Submission submission, List<Termination.Written> replaced) {}

  private void tell(Termination.Written written) {
    meters.happened(written.effects());
    written.toTell().forEach(hints::mailbox);
  }

  /** A timed task wakes nobody before its time; the leader only has to know of it. */
  private void hint(List<Pending> stored) {
    Duration soonest = null;
    boolean ready = false;
    for (var pending : stored) {
      for (var task : pending.batch().tasks()) {
        var timer = task.timer();
        if (timer == null) {
          ready = true;
        } else {
          // Only the database's clock says how far away a point in time is.
          var in = timer.after() == null ? Duration.ZERO : timer.after();
          soonest = soonest == null || in.compareTo(soonest) < 0 ? in : soonest;
        }
      }
    }
    if (ready) {
      hints.workReady();
    }
    if (soonest != null) {
      hints.dueIn(soonest);
    }
  }

  /** Deletes unique keys that were held for a time, which is over; at most {@code limit}. */
  public static int forgetUniques(Handle handle, int limit) {
    return handle.createUpdate(Sql.named("intake/delete_uniques")).bind("limit", limit).execute();
  }

  /**
   * Attaches a note to a task and replaces an earlier one.
   *
   * @param note null removes it
   * @return false when the task does not exist
   */
  public boolean note(UUID task, @Nullable String note, String actor) {
    return jdbi.inTransaction(
        handle ->
            handle
                .createQuery(Sql.named("intake/write_note"))
                .bind("id", task)
                .bind("note", note)
                .bind("reason", note == null ? "note removed" : "note: " + note)
                .bind("actor", actor)
                .mapTo(UUID.class)
                .findFirst()
                .isPresent());
  }

  /**
   * A submit without keys is one statement but still gets a transaction: only an explicit COMMIT
   * can be withheld after the caller was answered.
   */
  private Stored store(List<Pending> inOrder, String actor) {
    if (inOrder.stream().anyMatch(Pending::hasKey)) {
      return jdbi.inTransaction(handle -> store(handle, inOrder, actor));
    }
    jdbi.useTransaction(handle -> insert(handle, fresh(inOrder), actor));
    return new Stored(
        new Submission.Accepted(
            inOrder.stream().flatMap(pending -> pending.ids().stream()).toList()),
        List.of());
  }

  private Stored store(Handle handle, List<Pending> inOrder, String actor) {
    var distinct = new LinkedHashSet<>(inOrder);
    var claims = distinct.stream().flatMap(Pending::claim).toList();
    return switch (claims.isEmpty() ? new Claimed.Held(Map.of()) : Keys.claim(handle, claims)) {
      case Claimed.Conflict(var keys) -> {
        handle.rollback();
        yield new Stored(new Submission.KeyConflict(keys), List.of());
      }
      case Claimed.Held(var earlier) -> store(handle, inOrder, earlier, actor);
    };
  }

  private Stored store(
      Handle handle, List<Pending> inOrder, Map<IdempotencyKey, List<UUID>> earlier, String actor) {
    var first =
        new LinkedHashSet<>(inOrder).stream().filter(pending -> !pending.isIn(earlier)).toList();
    var fresh = fresh(first);
    var unique = new UniqueTasks(handle, statements.apply(handle), actor);
    unique.claim(fresh);
    if (!unique.conflicts().isEmpty()) {
      handle.rollback();
      return new Stored(new Submission.UniqueConflict(unique.conflicts()), List.of());
    }
    insert(handle, fresh.stream().filter(one -> unique.isStored(one.id())).toList(), actor);
    unique.finish();
    first.forEach(pending -> pending.correct(handle, unique));
    var ids =
        inOrder.stream()
            .flatMap(pending -> pending.ids(earlier).stream())
            .map(unique::answerFor)
            .toList();
    return new Stored(new Submission.Accepted(ids, unique.existing()), unique.written());
  }

  private static List<Fresh> fresh(List<Pending> pending) {
    var fresh = new ArrayList<Fresh>();
    for (var one : pending) {
      for (int i = 0; i < one.ids().size(); i++) {
        fresh.add(new Fresh(one.ids().get(i), one.batch().tasks().get(i)));
      }
    }
    return fresh;
  }

  private Pending pending(Batch batch) {
    return new Pending(batch, Stream.generate(ids::next).limit(batch.tasks().size()).toList());
  }

  private static String name(IdempotencyKey key) {
    return key.tenant() + '\n' + key.value();
  }

  private static void insert(Handle handle, List<Fresh> fresh, String actor) {
    if (fresh.isEmpty()) {
      return;
    }
    var taskIds = fresh.stream().map(Fresh::id).toList();
    var tasks = fresh.stream().map(Fresh::task).toList();
    var update = handle.createUpdate(Sql.named("intake/insert_tasks")).bind("actor", actor);
    Unnest.bind(update, "ids", UUID.class, taskIds, id -> id);
    Unnest.bind(update, "tenants", String.class, tasks, NewTask::tenant);
    Unnest.bind(update, "names", String.class, tasks, NewTask::name);
    Unnest.bind(update, "priorities", Integer.class, tasks, NewTask::priority);
    Unnest.bind(update, "pools", String.class, tasks, NewTask::pool);
    Unnest.bind(update, "works", String.class, tasks, NewTask::work);
    Unnest.bind(update, "labels", String.class, tasks, NewTask::labels);
    Unnest.bind(update, "stricts", Boolean.class, tasks, NewTask::strict);
    Unnest.bind(update, "deadline_ms", Long.class, tasks, TaskIntake::deadlineMs);
    Unnest.bind(update, "states", String.class, tasks, task -> admitted(task).state().name());
    Unnest.bind(update, "reasons", String.class, tasks, task -> admitted(task).reason());
    Timers.bind(update, tasks, NewTask::timer);
    update.execute();
  }

  private static Admission.Admitted admitted(NewTask task) {
    return Admission.submit(task.timer(), task.onlyWaits());
  }

  private static @Nullable Long deadlineMs(NewTask task) {
    return task.deadline() == null ? null : Long.valueOf(task.deadline().toMillis());
  }

  /** A batch with the ids that its tasks get if its key is free. */
  private record Pending(Batch batch, List<UUID> ids) {

    boolean hasKey() {
      return batch.key() != null || batch.tasks().stream().anyMatch(task -> task.unique() != null);
    }

    /** A repeated request gets the tasks that this one was answered with. */
    void correct(Handle handle, UniqueTasks unique) {
      var key = batch.key();
      if (key != null && !ids.stream().allMatch(unique::isStored)) {
        Keys.correct(handle, key, ids.stream().map(unique::answerFor).toList());
      }
    }

    Stream<Keys.Claim> claim() {
      return Stream.ofNullable(batch.key()).map(key -> new Keys.Claim(key, ids));
    }

    boolean isIn(Map<IdempotencyKey, List<UUID>> earlier) {
      return batch.key() != null && earlier.containsKey(batch.key());
    }

    List<UUID> ids(Map<IdempotencyKey, List<UUID>> earlier) {
      return batch.key() == null ? ids : earlier.getOrDefault(batch.key(), ids);
    }
  }
}
