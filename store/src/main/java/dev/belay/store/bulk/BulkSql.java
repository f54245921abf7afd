package dev.belay.store.bulk;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.bulk.BulkState;
import dev.belay.domain.bulk.BulkTarget;
import dev.belay.domain.id.BulkId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.BulkStatements;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.workflow.JsonValues;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The statements of resources/sql/bulk. */
public record BulkSql(Handle handle) implements BulkStatements {

  private static final UUID FIRST = new UUID(0, 0);
  private static final UUID LAST = new UUID(-1, -1);
  private static final int REFUSALS_MAX = 20;
  private static final int WHY_CHARS_MAX = 300;

  /**
   * An operation to store.
   *
   * @param preview as JSON
   */
  public record NewBulk(
      BulkId id,
      BulkKind kind,
      BulkFilter filter,
      @Nullable Integer priority,
      String note,
      @Nullable Double rate,
      String preview) {}

  /** False when as many as may be are RUNNING. */
  public boolean insert(NewBulk wanted, String actor, int runningMax) {
    handle.createQuery(Sql.named("bulk/lock_starts")).mapTo(String.class).list();
    return handle
            .createUpdate(Sql.named("bulk/insert_bulk", Set.of(noun(wanted.kind().target()))))
            .bind("id", wanted.id().value())
            .bind("tenant", wanted.filter().tenant())
            .bind("kind", wanted.kind().word())
            .bind("filter", FilterJson.write(wanted.filter()))
            .bind("priority", wanted.priority())
            .bind("note", wanted.note())
            .bind("rate", wanted.rate())
            .bind("preview", wanted.preview())
            .bind("actor", actor)
            .bind("running_max", runningMax)
            .execute()
        > 0;
  }

  /**
   * What would match now.
   *
   * @param counted false when there may be more: it looks at a bounded number
   * @param sample as JSON
   */
  public record Preview(long matches, boolean counted, String sample) {}

  public Preview preview(BulkTarget target, BulkFilter filter, Instant now, int max, int sample) {
    var query =
        select("preview", target, filter)
            .bind("after", FIRST)
            .bind("up_to", LAST)
            .bind("requested_at", time(now))
            .bind("max", max)
            .bind("sample", sample);
    return query
        .map(
            (row, context) ->
                new Preview(
                    row.getLong("matched"), row.getLong("looked") < max, row.getString("sample")))
        .one();
  }

  @Override
  public List<Running> readRunning(@Nullable BulkId after, int max) {
    return query("read_running")
        .bind("after", after == null ? FIRST : after.value())
        .bind("max", max)
        .map((row, context) -> running(row))
        .list();
  }

  private static Running running(ResultSet row) throws SQLException {
    var id = new BulkId(row.getObject("id", UUID.class));
    String kind = row.getString("kind");
    Optional<BulkKind> known = BulkKind.ofWord(kind);
    if (known.isEmpty()) {
      return new Unreadable(id, "kind " + kind);
    }
    BulkFilter filter;
    try {
      filter = FilterJson.read(row.getString("filter"));
      filter.states().forEach(state -> require(known.get(), state));
    } catch (RuntimeException unreadable) {
      return new Unreadable(id, "filter: " + unreadable.getMessage());
    }
    var order =
        new Order(
            known.get(),
            filter,
            row.getObject("priority", Integer.class),
            row.getString("note"),
            row.getString("created_by"),
            row.getObject("created_at", OffsetDateTime.class).toInstant(),
            row.getObject("up_to", UUID.class));
    return new Active(
        id,
        order,
        row.getObject("rate", Double.class),
        row.getObject("cursor", UUID.class),
        Duration.ofMillis(row.getLong("wait_ms")));
  }

  private static void require(BulkKind kind, String state) {
    if (!kind.states().contains(state)) {
      throw new IllegalArgumentException("state " + state);
    }
  }

  @Override
  public Looked look(Order order, @Nullable UUID after, int max) {
    record Row(Item item, boolean matches) {}
    var rows =
        of(select("look", order.kind().target(), order.filter()), order)
            .bind("after", after == null ? FIRST : after)
            .bind("up_to", order.upTo())
            .bind("max", max)
            .map(
                (row, context) -> {
                  UUID run = row.getObject("run_id", UUID.class);
                  return new Row(
                      new Item(
                          row.getObject("id", UUID.class), run == null ? null : new RunId(run)),
                      row.getBoolean("matches"));
                })
            .list();
    return new Looked(
        rows.stream().filter(Row::matches).map(Row::item).toList(),
        rows.size() < max ? null : rows.getLast().item().id());
  }

  @Override
  public boolean lock(BulkId id, @Nullable UUID cursor) {
    return query("lock_bulk")
        .bind("id", id.value())
        .bind("cursor", cursor)
        .mapTo(UUID.class)
        .findFirst()
        .isPresent();
  }

  @Override
  public Set<UUID> lockMatching(Order order, List<UUID> items) {
    var query = of(select("lock", order.kind().target(), order.filter()), order);
    Unnest.bind(query, "items", UUID.class, items, id -> id);
    return new HashSet<>(query.mapTo(UUID.class).list());
  }

  @Override
  public boolean advance(BulkId id, @Nullable UUID from, Progress progress) {
    var counts = List.copyOf(progress.counts().entrySet());
    var update =
        update("advance_bulk")
            .bind("id", id.value())
            .bind("from", from)
            .bind("to", progress.cursor())
            .bind("changed", progress.changed())
            .bind("refused", progress.refused().size())
            .bind("refusals", refusals(progress.refused()));
    Unnest.bind(update, "words", String.class, counts, count -> count.getKey().word());
    Unnest.bind(update, "counts", Integer.class, counts, Map.Entry::getValue);
    return update.execute() > 0;
  }

  private static String refusals(List<Refused> refused) {
    return refused.stream()
        .limit(REFUSALS_MAX)
        .map(
            one -> {
              var json = new LinkedHashMap<String, Object>();
              json.put("id", one.item().toString());
              json.put("reason", one.refusal().word());
              String why = one.why();
              json.put(
                  "detail",
                  why.length() <= WHY_CHARS_MAX ? why : why.substring(0, WHY_CHARS_MAX) + "...");
              return JsonValues.write(json);
            })
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public boolean complete(BulkId id, @Nullable UUID cursor) {
    return update("complete_bulk").bind("id", id.value()).bind("cursor", cursor).execute() > 0;
  }

  @Override
  public boolean cancel(BulkId id, String reason) {
    return end(id, BulkState.CANCELLED, reason);
  }

  @Override
  public boolean fail(BulkId id, String reason) {
    return end(id, BulkState.FAILED, reason);
  }

  private boolean end(BulkId id, BulkState to, String reason) {
    return update("end_bulk")
            .bind("id", id.value())
            .bind("to", to.name())
            .bind("reason", reason)
            .execute()
        > 0;
  }

  @Override
  public Optional<BulkState> findState(BulkId id) {
    return query("find_state").bind("id", id.value()).mapTo(BulkState.class).findFirst();
  }

  private Query query(String name) {
    return handle.createQuery(Sql.named("bulk/" + name));
  }

  private Update update(String name) {
    return handle.createUpdate(Sql.named("bulk/" + name));
  }

  /** A statement about the items of a filter, with the lines that this filter needs. */
  private Query select(String verb, BulkTarget target, BulkFilter filter) {
    var given = new LinkedHashMap<String, Object>();
    put(given, "workflow", filter.workflow());
    put(given, "run", filter.run());
    put(given, "pool", filter.pool());
    put(given, "name", filter.name());
    put(given, "labels", filter.labels().isEmpty() ? null : JsonValues.write(filter.labels()));
    put(given, "since", filter.since() == null ? null : time(filter.since()));
    put(given, "before", filter.before() == null ? null : time(filter.before()));
    put(given, "reason", filter.letters().reason());
    put(given, "topic", filter.letters().topic());
    put(given, "fingerprint", filter.letters().fingerprint());
    var lines = new HashSet<>(given.keySet());
    lines.addAll(
        switch (target) {
          case TASKS -> filter.run() == null ? partsOf(filter) : Set.<String>of();
          case RUNS -> areOpen(filter) ? Set.of("open") : Set.<String>of();
          case DEAD_LETTERS -> Set.<String>of();
        });
    var query =
        handle
            .createQuery(Sql.named("bulk/" + verb + "_" + noun(target), lines))
            .bindArray("states", String.class, List.copyOf(filter.states()))
            .bind("tenant", filter.tenant());
    given.forEach(query::bind);
    return query;
  }

  private static String noun(BulkTarget target) {
    return switch (target) {
      case TASKS -> "tasks";
      case RUNS -> "runs";
      case DEAD_LETTERS -> "letters";
    };
  }

  private static void put(Map<String, Object> given, String name, @Nullable Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }

  /** The parts of look_tasks: one for each state, and one for both that have a worker. */
  private static Set<String> partsOf(BulkFilter filter) {
    return filter.states().stream()
        .map(state -> TaskState.valueOf(state).isActive() ? "active" : state)
        .collect(Collectors.toSet());
  }

  private static boolean areOpen(BulkFilter filter) {
    return filter.states().stream().noneMatch(state -> RunState.valueOf(state).isTerminal());
  }

  private static <S extends SqlStatement<S>> S of(S statement, Order order) {
    return statement.bind("requested_at", time(order.requestedAt()));
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
