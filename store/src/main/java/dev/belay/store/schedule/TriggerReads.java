package dev.belay.store.schedule;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.store.Sql;
import dev.belay.store.read.Json;
import dev.belay.store.read.Page;
import dev.belay.store.read.Reads;
import dev.belay.store.schedule.Trigger.Fire;
import dev.belay.store.schedule.Trigger.Removed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/** Triggers and their ledger, for people. */
public final class TriggerReads {

  /** A page of the ledger looks at so many rows of a trigger for those that match its filter. */
  private static final int SCAN_MAX = 20_000;

  private final Jdbi jdbi;
  private final int scanMax;

  public TriggerReads(Jdbi jdbi) {
    this(jdbi, SCAN_MAX);
  }

  TriggerReads(Jdbi jdbi, int scanMax) {
    this.jdbi = jdbi;
    this.scanMax = scanMax;
  }

  /**
   * The triggers that workflows have, by workflow and name.
   *
   * @param workflow null means all
   */
  public Page<Trigger> triggers(String tenant, @Nullable String workflow, Page.Window window) {
    var given = new LinkedHashMap<String, Object>();
    given.put("tenant", tenant);
    with(given, "workflow", workflow);
    with(given, "cursor", window.cursor());
    given.put("limit", window.limit() + 1);
    var rows = list("list_triggers", given, TriggerReads::trigger);
    if (rows.size() <= window.limit()) {
      return new Page<>(rows, null);
    }
    var items = rows.subList(0, window.limit());
    return new Page<>(items, items.getLast().name().id());
  }

  /** The calendars of the system file. */
  public Map<String, DayCalendar> calendars() {
    return new PostgresSchedules(jdbi).readCalendars();
  }

  /** A trigger that a workflow has or had. */
  public Optional<Trigger> trigger(String tenant, String workflow, String name) {
    return list(
            "find_trigger",
            Map.of("tenant", tenant, "workflow", workflow, "name", name),
            TriggerReads::trigger)
        .stream()
        .findFirst();
  }

  /** The triggers that a workflow no longer has, the last one first. */
  public List<Removed> removed(String tenant, String workflow, int max) {
    return list(
        "list_removed_triggers",
        Map.of("tenant", tenant, "workflow", workflow, "limit", max),
        (row, context) ->
            new Removed(
                row.getObject("id", UUID.class), row.getString("name"), time(row, "removed_at")));
  }

  /**
   * Selects rows of the ledger of a workflow.
   *
   * @param trigger null means all
   * @param outcome null means any
   */
  public record FireFilter(
      String tenant, String workflow, @Nullable String trigger, @Nullable String outcome) {}

  /**
   * A page of the ledger, the newest instant first.
   *
   * @param next null at the end
   */
  public record Fires(List<Fire> items, @Nullable FireCursor next) {
    public Fires {
      items = List.copyOf(items);
    }
  }

  /**
   * A page looks at a bounded number of rows: it may have few items or none, and still a next page.
   */
  public Fires fires(FireFilter filter, @Nullable FireCursor cursor, int limit) {
    var given = new LinkedHashMap<String, Object>();
    given.put("tenant", filter.tenant());
    given.put("workflow", filter.workflow());
    with(given, "trigger", filter.trigger());
    if (cursor != null) {
      given.put("cursor_at", cursor.at());
      given.put("cursor_trigger", cursor.trigger());
    }
    // Without an outcome, the first rows of each trigger are the page.
    int scan = filter.outcome() == null ? limit + 1 : scanMax;
    given.put("scan", scan);
    var floor = filter.outcome() == null ? Optional.<Instant>empty() : floor(given);
    floor.ifPresent(at -> given.put("floor", at));
    with(given, "outcome", filter.outcome());
    given.put("limit", limit + 1);
    var rows = list("list_fires", given, TriggerReads::fire);
    if (rows.size() <= limit) {
      return new Fires(
          rows, floor.map(at -> new FireCursor(at, FireCursor.BEFORE_ALL)).orElse(null));
    }
    var items = rows.subList(0, limit);
    var last = items.getLast();
    return new Fires(items, new FireCursor(last.at(), last.triggerId()));
  }

  private Optional<Instant> floor(Map<String, Object> given) {
    return list(
            "find_fire_floor",
            given,
            (row, context) -> Optional.ofNullable(timeOrNull(row, "floor")))
        .stream()
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static void with(Map<String, Object> given, String name, @Nullable Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }

  private <T> List<T> list(String statement, Map<String, Object> given, RowMapper<T> mapper) {
    var sql = Sql.named("schedule/" + statement, given.keySet());
    return jdbi.withHandle(
        handle -> {
          try (var query = handle.createQuery(sql)) {
            given.forEach(
                (name, value) ->
                    query.bind(
                        name,
                        value instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : value));
            return query.setQueryTimeout(Reads.TIMEOUT_SECONDS).map(mapper).list();
          }
        });
  }

  private static Trigger trigger(ResultSet row, Object context) throws SQLException {
    var name =
        new Trigger.Name(
            row.getObject("id", UUID.class),
            row.getString("tenant"),
            row.getString("workflow"),
            row.getString("name"));
    return new Trigger(
        name,
        row.getString("kind"),
        row.getString("source"),
        new Json(row.getString("spec")),
        new Trigger.Span(
            time(row, "from_at"),
            timeOrNull(row, "until_at"),
            timeOrNull(row, "next_at"),
            timeOrNull(row, "due_at")),
        new Trigger.Pauses(
            timeOrNull(row, "paused_at"),
            row.getString("paused_by"),
            timeOrNull(row, "workflow_paused_at"),
            row.getString("workflow_paused_by")),
        timeOrNull(row, "last_at") == null ? null : fire(row, name.id(), name.name(), "last_"));
  }

  private static Fire fire(ResultSet row, Object context) throws SQLException {
    return fire(row, row.getObject("trigger_id", UUID.class), row.getString("trigger"), "");
  }

  private static Fire fire(ResultSet row, UUID id, String trigger, String prefix)
      throws SQLException {
    return new Fire(
        id,
        trigger,
        time(row, prefix + "at"),
        time(row, prefix + "due_at"),
        row.getString(prefix + "outcome"),
        row.getString(prefix + "reason"),
        row.getObject(prefix + "run_id", UUID.class),
        timeOrNull(row, prefix + "into_at"),
        time(row, prefix + "decided_at"));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(timeOrNull(row, column), column);
  }

  private static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
    var time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
