package dev.belay.store.trigger;

import dev.belay.domain.id.EventId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.TriggerVersionId;
import dev.belay.engine.port.EventReads;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The reads of events for triggers, on PostgreSQL. */
public record PostgresEvents(Jdbi jdbi) implements EventReads {

  private static final UUID FIRST = new UUID(0, 0);

  @Override
  public List<PendingEvent> readPending(
      int max, int each, @Nullable TriggerVersionId after, Collection<TriggerVersionId> except) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trigger/read_events_pending"))
                .bind("max", max)
                .bind("each", each)
                .bind("after", after(after))
                .bindArray(
                    "except", UUID.class, except.stream().map(TriggerVersionId::value).toList())
                .map(
                    (row, context) ->
                        new PendingEvent(
                            EventSql.key(row),
                            time(row, "received_at"),
                            row.getInt("depth"),
                            row.getString("data"),
                            waiter(row)))
                .list());
  }

  private static UUID after(@Nullable TriggerVersionId version) {
    return version == null ? FIRST : version.value();
  }

  private static Waiter waiter(ResultSet row) throws SQLException {
    return new Waiter(
        new TriggerId(row.getObject("trigger_id", UUID.class)),
        new TriggerVersionId(row.getObject("version_id", UUID.class)),
        row.getString("name"),
        row.getString("spec"),
        PostgresChains.target(row));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  @Override
  public List<OpenWindow> readWindows(int max, @Nullable TriggerVersionId after, int eventsMax) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trigger/read_windows"))
                .bind("max", max)
                .bind("after", after(after))
                .bind("events_max", eventsMax)
                .map(
                    (row, context) ->
                        new OpenWindow(
                            waiter(row),
                            time(row, "first_at"),
                            time(row, "last_at"),
                            row.getInt("events"),
                            row.getObject("first_pending_at") == null
                                ? null
                                : time(row, "first_pending_at")))
                .list());
  }

  @Override
  public List<WaitingEvent> readWaiting(TriggerVersionId version, int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trigger/read_waiting"))
                .bind("version", version.value())
                .bind("max", max)
                .map(
                    (row, context) ->
                        new WaitingEvent(
                            EventSql.key(row), time(row, "received_at"), row.getInt("depth")))
                .list());
  }

  @Override
  public List<String> readData(List<EventId> events, int charsMax) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trigger/read_event_data"))
                .bindArray("events", UUID.class, events.stream().map(EventId::value).toList())
                .bind("chars_max", charsMax)
                .mapTo(String.class)
                .list());
  }

  @Override
  public Undecided countUndecided(int max) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trigger/count_undecided"))
                .bind("max", max)
                .map((row, context) -> new Undecided(row.getLong("chains"), row.getLong("events")))
                .one());
  }
}
