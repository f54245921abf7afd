package dev.belay.store.intake;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.queue.UnknownQueue;
import dev.belay.engine.steer.Termination;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.Timers;
import dev.belay.store.Unnest;
import dev.belay.store.intake.Keys.Claimed;
import dev.belay.store.intake.UniqueTasks.Fresh;
import dev.belay.store.transaction.PostgresStatements;
import dev.belay.workflow.QueueCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Accepts standalone tasks. */
public final class TaskIntake {

  private static final Set<String> GIVEN_UP = Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  private static final String INSERT = Sql.named("intake/insert_tasks", Set.of());
  private static final String INSERT_GUARDED = Sql.named("intake/insert_tasks", Set.of("guarded"));

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;
  private final QueueCatalog queues;
  private final Meters meters;
  private final FullTenants full;

  /** Tenants whose submits were counted last time: they would only waste the guarded statement. */
  private final Set<String> limited = ConcurrentHashMap.newKeySet();

  public TaskIntake(Jdbi jdbi, Ids ids, Hints hints, QueueCatalog queues, Meters meters) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
    this.queues = queues;
    this.meters = meters;
    this.full = new FullTenants(jdbi);
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
    full.count(tenantsOf(inOrder));
    return queues.store(queuesOf(inOrder), queueIds -> submit(inOrder, queueIds, actor));
  }

  private Submission submit(List<Pending> inOrder, Map<TaskQueue, QueueId> queueIds, String actor) {
    var stored = Retry.on(GIVEN_UP, () -> store(inOrder, queueIds, actor));
    if (stored.submission() instanceof Submission.Accepted) {
      hint(stored.hinted(), queueIds);
      stored.replaced().forEach(this::tell);
    }
    return stored.submission();
  }

  /**
   * @param hinted the tasks behind which there is a new one, or one of an earlier call with the
   *     same idempotency key, whose hints may have been lost
   * @param replaced what ending replaced tasks wrote
   */
  private record Stored(
      Submission submission, List<NewTask> hinted, List<Termination.Written> replaced) {

    static Stored nothing(Submission refused) {
      return new Stored(refused, List.of(), List.of());
    }

    static Stored limited(TenantLimit limit) {
      return nothing(new Submission.Limited(limit));
    }
  }

  private void tell(Termination.Written written) {
    meters.happened(written.effects());
    written.toTell().forEach(hints::mailbox);
  }

  private static Set<String> tenantsOf(List<Pending> wanted) {
    return wanted.stream()
        .flatMap(pending -> pending.batch().tasks().stream())
        .map(NewTask::tenant)
        .collect(Collectors.toSet());
  }

  private static Set<TaskQueue> queuesOf(List<Pending> wanted) {
    return wanted.stream()
        .flatMap(pending -> pending.batch().tasks().stream())
        .map(NewTask::queue)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /** A timed task wakes nobody before its time; the leader only has to know of it. */
  private void hint(List<NewTask> stored, Map<TaskQueue, QueueId> queueIds) {
    Duration soonest = null;
    var ready = new LinkedHashSet<QueueId>();
    for (var task : stored) {
      var timer = task.timer();
      if (timer == null) {
        ready.add(Objects.requireNonNull(queueIds.get(task.queue())));
      } else {
        // Only the database's clock says how far away a point in time is.
        var in = timer.after() == null ? Duration.ZERO : timer.after();
        soonest = soonest == null || in.compareTo(soonest) < 0 ? in : soonest;
      }
    }
    if (!ready.isEmpty()) {
      hints.workReady(ready);
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
  private Stored store(List<Pending> inOrder, Map<TaskQueue, QueueId> queueIds, String actor) {
    if (inOrder.stream().anyMatch(Pending::hasKey)) {
      return jdbi.inTransaction(handle -> store(handle, inOrder, queueIds, actor));
    }
    var fresh = fresh(inOrder);
    return jdbi.inTransaction(handle -> insert(handle, fresh, Map.of(), queueIds, actor))
        .map(Stored::limited)
        .orElseGet(
            () ->
                new Stored(
                    new Submission.Accepted(fresh.stream().map(Fresh::id).toList()),
                    fresh.stream().map(Fresh::task).toList(),
                    List.of()));
  }

  private Stored store(
      Handle handle, List<Pending> inOrder, Map<TaskQueue, QueueId> queueIds, String actor) {
    var distinct = new LinkedHashSet<>(inOrder);
    var claims = distinct.stream().flatMap(Pending::claim).toList();
    return switch (claims.isEmpty() ? new Claimed.Held(Map.of()) : Keys.claim(handle, claims)) {
      case Claimed.Conflict(var keys) -> {
        handle.rollback();
        yield Stored.nothing(new Submission.KeyConflict(keys));
      }
      case Claimed.Held(var earlier) -> store(handle, inOrder, earlier, queueIds, actor);
    };
  }

  private Stored store(
      Handle handle,
      List<Pending> inOrder,
      Map<IdempotencyKey, List<UUID>> earlier,
      Map<TaskQueue, QueueId> queueIds,
      String actor) {
    var first =
        new LinkedHashSet<>(inOrder).stream().filter(pending -> !pending.isIn(earlier)).toList();
    var wanted = fresh(first);
    var unique = new UniqueTasks(handle, new PostgresStatements(handle), actor);
    unique.claim(wanted);
    if (!unique.conflicts().isEmpty()) {
      handle.rollback();
      return Stored.nothing(new Submission.UniqueConflict(unique.conflicts()));
    }
    var fresh = wanted.stream().filter(one -> unique.isStored(one.id())).toList();
    var limit = insert(handle, fresh, unique.freed(), queueIds, actor);
    if (limit.isPresent()) {
      return Stored.limited(limit.get());
    }
    unique.finish();
    first.forEach(pending -> pending.correct(handle, unique));
    var ids =
        inOrder.stream()
            .flatMap(pending -> pending.ids(earlier).stream())
            .map(unique::answerFor)
            .toList();
    var hinted =
        fresh(inOrder).stream().filter(one -> unique.isStored(one.id())).map(Fresh::task).toList();
    return new Stored(new Submission.Accepted(ids, unique.existing()), hinted, unique.written());
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

  /**
   * Tenants without limits pay one look into a table that is usually empty, in the same statement.
   *
   * @param freed how many waiting tasks by tenant were replaced
   * @return the limit that refuses the tasks; this rolled back then
   */
  private Optional<TenantLimit> insert(
      Handle handle,
      List<Fresh> fresh,
      Map<String, Integer> freed,
      Map<TaskQueue, QueueId> queueIds,
      String actor) {
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    var sizes = new HashMap<String, Integer>();
    fresh.forEach(one -> sizes.merge(one.task().tenant(), 1, Integer::sum));
    boolean guarded = Collections.disjoint(limited, sizes.keySet());
    if (guarded && insert(handle, fresh, queueIds, actor, true) > 0) {
      return Optional.empty();
    }
    var limits = new IntakeLimits(handle);
    var limit = limits.count(sizes, freed);
    remember(sizes.keySet(), limits.counted());
    if (limit.isPresent()) {
      handle.rollback();
      full.refused(limit.get());
    } else if (insert(handle, fresh, queueIds, actor, false) == 0) {
      throw new UnknownQueue();
    }
    return limit;
  }

  private void remember(Set<String> tenants, Set<String> counted) {
    for (var tenant : tenants) {
      if (counted.contains(tenant)) {
        limited.add(tenant);
      } else {
        limited.remove(tenant);
      }
    }
  }

  private static long insert(
      Handle handle,
      List<Fresh> fresh,
      Map<TaskQueue, QueueId> queueIds,
      String actor,
      boolean guarded) {
    var taskIds = fresh.stream().map(Fresh::id).toList();
    var tasks = fresh.stream().map(Fresh::task).toList();
    var query = handle.createQuery(guarded ? INSERT_GUARDED : INSERT).bind("actor", actor);
    Unnest.bind(query, "ids", UUID.class, taskIds, id -> id);
    Unnest.bind(query, "tenants", String.class, tasks, NewTask::tenant);
    Unnest.bind(query, "names", String.class, tasks, NewTask::name);
    Unnest.bind(query, "priorities", Integer.class, tasks, NewTask::priority);
    Unnest.bind(query, "pools", String.class, tasks, NewTask::pool);
    Unnest.bind(query, "works", String.class, tasks, NewTask::work);
    Unnest.bind(query, "labels", String.class, tasks, NewTask::labels);
    Unnest.bind(query, "stricts", Boolean.class, tasks, NewTask::strict);
    Unnest.bind(query, "deadline_ms", Long.class, tasks, TaskIntake::deadlineMs);
    Unnest.bind(query, "states", String.class, tasks, task -> admitted(task).state().name());
    Unnest.bind(query, "reasons", String.class, tasks, task -> admitted(task).reason());
    Unnest.bind(query, "queues", Long.class, tasks, task -> queueId(task, queueIds));
    Unnest.bind(query, "keyed", String.class, tasks, TaskIntake::keyed);
    Timers.bind(query, tasks, NewTask::timer);
    // Each once: a bulk names few.
    var used = tasks.stream().map(task -> queueId(task, queueIds)).filter(Objects::nonNull);
    Unnest.bind(query, "used_queues", Long.class, used.distinct().toList(), id -> id);
    if (guarded) {
      var named = tasks.stream().map(NewTask::tenant).distinct().toList();
      Unnest.bind(query, "named_tenants", String.class, named, name -> name);
    }
    return query.mapTo(Long.class).one();
  }

  private static Admission.Admitted admitted(NewTask task) {
    return Admission.submit(task.timer(), task.onlyWaits());
  }

  private static @Nullable Long queueId(NewTask task, Map<TaskQueue, QueueId> queueIds) {
    var queue = task.queue();
    return queue == null ? null : Long.valueOf(Objects.requireNonNull(queueIds.get(queue)).value());
  }

  /** The task queue if it has the key of a limit: such ones are not kept as long as tasks. */
  private static @Nullable String keyed(NewTask task) {
    var queue = task.queue();
    return queue == null || !queue.isKeyed() ? null : QueueCodec.toJson(queue);
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
