package dev.belay.store.read;

import static java.util.stream.Collectors.joining;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.store.Sql;
import dev.belay.store.read.Page.Window;
import dev.belay.workflow.SpecCodec;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Reads for people: lists with filters and keyset pages, and single items by id. */
public final class Reads {

  /** Limit of attempts or history rows shown for one task or run, newest first. */
  public static final int ROWS_MAX = 1_000;

  /** Cancels longer reads, so a costly filter cannot occupy the pool. */
  public static final int TIMEOUT_SECONDS = 10;

  /** A page looks at so many tasks for those that match its filter. */
  private static final int SCAN_MAX = 20_000;

  private final Jdbi jdbi;
  private final int scanMax;

  public Reads(Jdbi jdbi) {
    this(jdbi, SCAN_MAX);
  }

  Reads(Jdbi jdbi, int scanMax) {
    this.jdbi = jdbi;
    this.scanMax = scanMax;
  }

  /**
   * A rare match would make a page read the whole table. So a page looks at a bounded number of the
   * tasks that an index gives it: it may have few items or none, and still a next page.
   */
  public Page<Task> tasks(TaskFilter filter, Window window) {
    var looked =
        new Given()
            .with("cursor", window.cursor())
            .with("run", filter.run())
            .with("indexed_state", filter.indexedState())
            .with("active_states", filter.activeStates())
            .with("scan", scanMax);
    var given =
        looked
            .with("worker", filter.worker())
            .with("states", filter.otherStates())
            .with("name", filter.name())
            .with("pool", filter.pool())
            .with("changed_after", filter.changedAfter())
            .with("tenant", filter.tenant())
            .with("limit", window.limit() + 1);
    var page = Page.of(list("read/list_tasks", given, Task.class), window, Task::id);
    return bounded(page, "read/find_task_floor", looked);
  }

  /** A page that is not full goes on where its look ended, unless it saw everything. */
  private <T> Page<T> bounded(Page<T> page, String floor, Given looked) {
    if (page.next() != null) {
      return page;
    }
    var last = list(floor, looked, query -> query.mapTo(UUID.class)).stream().findFirst();
    return new Page<>(page.items(), last.orElse(null));
  }

  public Optional<Task.Detail> task(UUID id) {
    return first("read/find_task", new Given().with("id", id), Task.Detail.class);
  }

  /** Approximate text size of the task in bytes; zero when it does not exist. */
  public long taskBytes(UUID id) {
    return bytes("read/weigh_task", new Given().with("id", id));
  }

  /** Approximate text size of the run in bytes; zero when it does not exist. */
  public long runBytes(UUID id) {
    return bytes("read/weigh_run", new Given().with("id", id));
  }

  /** Approximate text size of the workflow in bytes; zero when it does not exist. */
  public long workflowBytes(String tenant, String name, @Nullable Integer version) {
    return bytes(
        "read/weigh_workflow",
        new Given().with("tenant", tenant).with("name", name).with("version", version));
  }

  private long bytes(String statement, Given given) {
    return list(statement, given, query -> query.mapTo(Long.class)).stream().findFirst().orElse(0L);
  }

  public Optional<TaskState> taskState(UUID id) {
    return list(
            "read/find_task_state",
            new Given().with("id", id),
            query -> query.mapTo(TaskState.class))
        .stream()
        .findFirst();
  }

  /** The attempts of a task in dispatch order; empty when the task does not exist. */
  public List<Attempt> attempts(UUID task) {
    return list("read/list_attempts", ofTask(task), Attempt.class);
  }

  public List<Transition> history(UUID task) {
    return list("read/list_history", ofTask(task), Transition.class);
  }

  public Page<Run> runs(RunFilter filter, Window window) {
    var looked =
        new Given()
            .with("cursor", window.cursor())
            .with("workflow", filter.workflow())
            .with("open_states", filter.openStates())
            .with("tenant", filter.tenant())
            .with("scan", scanMax);
    var given = looked.with("states", filter.otherStates()).with("limit", window.limit() + 1);
    var page = Page.of(list("read/list_runs", given, Run.class), window, Run::id);
    return bounded(page, "read/find_run_floor", looked);
  }

  public Optional<Run> run(UUID id) {
    return first("read/find_run", new Given().with("id", id), Run.class);
  }

  public Optional<RunState> runState(UUID id) {
    return list(
            "read/find_run_state", new Given().with("id", id), query -> query.mapTo(RunState.class))
        .stream()
        .findFirst();
  }

  record StateCount(TaskState state, long tasks) {}

  public Map<TaskState, Long> taskCounts(UUID run) {
    var counts = new LinkedHashMap<TaskState, Long>();
    list("read/count_tasks_of_run", new Given().with("run", run), StateCount.class)
        .forEach(count -> counts.put(count.state(), count.tasks()));
    return counts;
  }

  public Page<Backfill> backfills(String tenant, @Nullable String workflow, Window window) {
    var given =
        new Given()
            .with("cursor", window.cursor())
            .with("workflow", workflow)
            .with("tenant", tenant)
            .with("limit", window.limit() + 1);
    return Page.of(list("read/list_backfills", given, Backfill.class), window, Backfill::id);
  }

  public Optional<Backfill> backfill(UUID id) {
    return first("read/find_backfill", new Given().with("id", id), Backfill.class);
  }

  public Page<Bulk> bulks(String tenant, Window window) {
    var given =
        new Given()
            .with("cursor", window.cursor())
            .with("tenant", tenant)
            .with("limit", window.limit() + 1);
    return Page.of(list("read/list_bulks", given, Bulk.class), window, Bulk::id);
  }

  public Optional<Bulk> bulk(UUID id) {
    return first("read/find_bulk", new Given().with("id", id), Bulk.class);
  }

  /** Like {@link #tasks}, a page looks at a bounded number. */
  public Page<DeadLetter> deadLetters(DeadLetter.Filter filter, Window window) {
    Boolean open = filter.open();
    var looked =
        new Given()
            .with("tenant", filter.tenant())
            .with("cursor", window.cursor())
            .with("fingerprint", filter.fingerprint())
            .with("reason", filter.reason())
            .with("unretried", Boolean.TRUE.equals(open) ? open : null)
            .with("scan", scanMax);
    var given =
        looked
            .with("topic", filter.topic())
            .with("workflow", filter.workflow())
            .with("since", filter.since())
            .with("retried", Boolean.FALSE.equals(open) ? open : null)
            .with("limit", window.limit() + 1);
    var page =
        Page.of(list("deadletter/list_letters", given, DeadLetter.class), window, DeadLetter::id);
    return bounded(page, "deadletter/find_letter_floor", looked);
  }

  /**
   * The groups of dead letters with the newest ones, among a bounded number of the newest. The
   * filter's fingerprint does not count.
   */
  public List<DeadLetter.Group> deadLetterGroups(DeadLetter.Filter filter, int limit) {
    var given =
        new Given()
            .with("tenant", filter.tenant())
            .with("reason", filter.reason())
            .with("topic", filter.topic())
            .with("workflow", filter.workflow())
            .with("since", filter.since())
            .with("scan", scanMax)
            .with("limit", limit);
    return list("deadletter/group_letters", given, DeadLetter.Group.class);
  }

  public Optional<DeadLetter.Detail> deadLetter(UUID id) {
    return first("deadletter/find_letter", new Given().with("id", id), DeadLetter.Detail.class);
  }

  /** Approximate text size of its request in bytes; zero when it does not exist. */
  public long deadLetterBytes(UUID id) {
    return bytes("deadletter/weigh_letter", new Given().with("id", id));
  }

  record ReasonCount(String reason, long letters) {}

  /**
   * How many dead letters nobody has retried, by reason; counts no more than {@code max} of each.
   */
  public Map<String, Long> openDeadLetters(int max) {
    var counts = new LinkedHashMap<String, Long>();
    list("deadletter/count_open", new Given().with("max", max), ReasonCount.class)
        .forEach(count -> counts.put(count.reason(), count.letters()));
    return counts;
  }

  record TopicCount(String topic, long tasks) {}

  /**
   * How many tasks are SCHEDULED, by topic; those without one have an empty topic. Counts no more
   * than {@code max} of them.
   */
  public Map<String, Long> readyTasks(int max) {
    var counts = new LinkedHashMap<String, Long>();
    list("read/count_ready", new Given().with("max", max), TopicCount.class)
        .forEach(count -> counts.put(count.topic(), count.tasks()));
    return counts;
  }

  record RunStateCount(RunState state, long runs) {}

  /** The stored runs of a backfill. */
  public Map<RunState, Long> runCounts(UUID backfill) {
    var counts = new EnumMap<RunState, Long>(RunState.class);
    list("read/count_runs_of_backfill", new Given().with("backfill", backfill), RunStateCount.class)
        .forEach(count -> counts.put(count.state(), count.runs()));
    return counts;
  }

  public List<Transition> runHistory(UUID run) {
    return list(
        "read/list_run_history",
        new Given().with("run", run).with("limit", ROWS_MAX),
        Transition.class);
  }

  /**
   * @param name null means any, and so does a key
   */
  public Page<Event> events(
      String tenant, @Nullable String name, @Nullable String key, Window window) {
    var given =
        new Given()
            .with("cursor", window.cursor())
            .with("name", name)
            .with("key", key)
            .with("tenant", tenant)
            .with("limit", window.limit() + 1);
    return Page.of(list("read/list_events", given, Event.class), window, Event::id);
  }

  public Optional<Event.Detail> event(UUID id) {
    return first("read/find_event", new Given().with("event", id), Event.Detail.class);
  }

  /** What the event meant for each trigger that waited for it. */
  public List<Event.Fire> eventFires(UUID event) {
    return list(
        "read/list_event_fires",
        new Given().with("event", event).with("limit", ROWS_MAX),
        Event.Fire.class);
  }

  /** What each end of the run meant for each trigger that waited for it. */
  public List<Event.ChainFire> chainFires(UUID run) {
    return list(
        "read/list_chain_fires",
        new Given().with("run", run).with("limit", ROWS_MAX),
        Event.ChainFire.class);
  }

  /**
   * The latest version of each workflow.
   *
   * @param deleted only those that are deleted, or only the others
   */
  public Page<Workflow> workflows(String tenant, boolean deleted, Window window) {
    var given =
        new Given()
            .with("present", !deleted)
            .with("cursor", window.cursor())
            .with("tenant", tenant)
            .with("limit", window.limit() + 1);
    return Page.of(list("read/list_workflows", given, Workflow.class), window, Workflow::id);
  }

  /**
   * @param version null means the latest
   */
  public Optional<Workflow.Detail> workflow(String tenant, String name, @Nullable Integer version) {
    return first(
        "read/find_workflow",
        new Given().with("tenant", tenant).with("name", name).with("version", version),
        Workflow.Detail.class);
  }

  /**
   * @param cursor only versions before this one; null starts at the newest
   */
  public Workflow.Versions versions(
      String tenant, String name, @Nullable Integer cursor, int limit) {
    var given =
        new Given()
            .with("cursor", cursor)
            .with("tenant", tenant)
            .with("name", name)
            .with("limit", limit + 1);
    var rows = list("read/list_versions", given, Workflow.Version.class);
    if (rows.size() <= limit) {
      return new Workflow.Versions(rows, null);
    }
    var items = rows.subList(0, limit);
    return new Workflow.Versions(items, items.getLast().version());
  }

  public SystemState system() {
    return new SystemState(
        first("read/find_system", new Given(), SystemState.File.class).orElse(null),
        list("read/list_pools", new Given(), SystemState.Pool.class),
        list("read/list_calendars", new Given(), SystemState.StoredCalendar.class).stream()
            .map(stored -> SpecCodec.calendarFromJson(stored.name(), stored.spec()))
            .toList());
  }

  public Page<Worker> workers(Window window) {
    var given = new Given().with("cursor", window.cursor()).with("limit", window.limit() + 1);
    return Page.of(list("read/list_workers", given, Worker.class), window, Worker::id);
  }

  public Leadership leadership() {
    return first("read/find_leadership", new Given(), Leadership.class).orElseThrow();
  }

  /** The replicas that have not been forgotten yet. */
  public List<Replica> replicas() {
    return list("read/list_replicas", new Given().with("limit", ROWS_MAX), Replica.class);
  }

  private static Given ofTask(UUID task) {
    return new Given().with("task", task).with("limit", ROWS_MAX);
  }

  /** Maps each snake_case column to the record component of the same name. */
  private <T> List<T> list(String statement, Given given, Class<T> type) {
    return list(statement, given, query -> query.map(ConstructorMapper.of(type)));
  }

  private <T> List<T> list(
      String statement, Given given, Function<Query, ResultIterable<T>> mapping) {
    var sql = Sql.named(statement, given.values.keySet());
    return jdbi.withHandle(
        handle -> {
          try (var query = given.bindTo(handle.createQuery(sql))) {
            query.setQueryTimeout(TIMEOUT_SECONDS).registerColumnMapper(Json.class, Json.COLUMN);
            return mapping.apply(query).list();
          }
        });
  }

  private <T> Optional<T> first(String statement, Given given, Class<T> type) {
    return list(statement, given, type).stream().findFirst();
  }

  /** The given parameters of a statement; the optional lines of the others are omitted. */
  private static final class Given {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Leaves this one as it is. */
    Given with(String name, @Nullable Object value) {
      var more = new Given();
      more.values.putAll(values);
      if (value != null && !(value instanceof Collection<?> many && many.isEmpty())) {
        more.values.put(name, value);
      }
      return more;
    }

    Query bindTo(Query query) {
      values.forEach(
          (name, value) -> {
            switch (value) {
              // Without a type: a cast from text would keep the planner off the partial indexes.
              case Collection<?> states ->
                  query.bindBySqlType(
                      name,
                      states.stream().map(Object::toString).collect(joining(",", "{", "}")),
                      Types.OTHER);
              case TaskState state -> query.bindBySqlType(name, state.name(), Types.OTHER);
              case Instant time -> query.bind(name, time.atOffset(ZoneOffset.UTC));
              default -> query.bind(name, value);
            }
          });
      return query;
    }
  }
}
