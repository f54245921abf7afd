package dev.belay.store.trigger;

import dev.belay.domain.id.Ids;
import dev.belay.engine.port.Hints;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.trigger.StoredEvents.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Accepts events. The leader decides what they start. */
public final class EventIntake {

  private final Jdbi jdbi;
  private final Ids ids;
  private final Hints hints;

  public EventIntake(Jdbi jdbi, Ids ids, Hints hints) {
    this.jdbi = jdbi;
    this.ids = ids;
    this.hints = hints;
  }

  /** Stores all events, or finds those behind their keys; returns after commit. */
  public StoredEvents store(List<NewEvent> events, String actor) {
    var numbered = new ArrayList<Numbered>();
    for (var event : events) {
      numbered.add(new Numbered(numbered.size(), ids.next(), event));
    }
    var answer =
        Retry.on(
            Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE),
            () -> jdbi.inTransaction(handle -> store(handle, numbered, actor)));
    if (answer instanceof StoredEvents.Accepted(var stored)
        && stored.stream().anyMatch(Stored::isNew)) {
      hints.eventStored();
    }
    return answer;
  }

  private static StoredEvents store(Handle handle, List<Numbered> events, String actor) {
    var answers = new HashMap<Integer, Stored>();
    var conflicts = new ArrayList<String>();
    List<Numbered> open = events;
    // Repeats only for a key whose retention ended between the two statements.
    while (!open.isEmpty()) {
      Set<UUID> fresh = insert(handle, open, actor);
      var others = new ArrayList<Numbered>();
      for (var event : open) {
        if (fresh.contains(event.id())) {
          answers.put(event.number(), new Stored(event.id(), true));
        } else {
          others.add(event);
        }
      }
      var earlier = others.isEmpty() ? Map.<Integer, Earlier>of() : read(handle, others);
      for (var event : others) {
        var found = earlier.get(event.number());
        if (found != null && found.same()) {
          answers.put(event.number(), new Stored(found.id(), false));
        } else if (found != null) {
          conflicts.add(String.valueOf(event.event().key()));
        }
      }
      open = others.stream().filter(event -> !earlier.containsKey(event.number())).toList();
    }
    if (!conflicts.isEmpty()) {
      handle.rollback();
      return new StoredEvents.KeyConflict(conflicts);
    }
    return new StoredEvents.Accepted(
        events.stream().map(event -> answers.get(event.number())).toList());
  }

  private static Set<UUID> insert(Handle handle, List<Numbered> rows, String actor) {
    var query = handle.createQuery(Sql.named("trigger/insert_events")).bind("actor", actor);
    Unnest.bind(query, "ids", UUID.class, rows, Numbered::id);
    Unnest.bind(query, "tenants", String.class, rows, row -> row.event().tenant());
    Unnest.bind(query, "names", String.class, rows, row -> row.event().name());
    Unnest.bind(query, "keys", String.class, rows, row -> row.event().key());
    Unnest.bind(query, "data", String.class, rows, row -> row.event().data());
    Unnest.bind(
        query,
        "sources",
        String.class,
        rows,
        row -> row.event().source().name().toLowerCase(Locale.ROOT));
    Unnest.bind(query, "runs", UUID.class, rows, row -> row.event().run());
    return new HashSet<>(query.mapTo(UUID.class).list());
  }

  private static Map<Integer, Earlier> read(Handle handle, List<Numbered> rows) {
    var query = handle.createQuery(Sql.named("trigger/read_event_keys"));
    Unnest.bind(query, "numbers", Integer.class, rows, Numbered::number);
    Unnest.bind(query, "tenants", String.class, rows, row -> row.event().tenant());
    Unnest.bind(query, "names", String.class, rows, row -> row.event().name());
    Unnest.bind(query, "keys", String.class, rows, row -> row.event().key());
    Unnest.bind(query, "data", String.class, rows, row -> row.event().data());
    var found = new HashMap<Integer, Earlier>();
    query
        .map(
            (row, context) ->
                Map.entry(
                    row.getInt("number"),
                    new Earlier(row.getObject("id", UUID.class), row.getBoolean("same"))))
        .forEach(one -> found.put(one.getKey(), one.getValue()));
    return found;
  }

  /** Deletes old events that every trigger has decided, at most {@code limit} in one call. */
  public static int forget(Handle handle, Duration retention, int limit) {
    return delete(handle, "trigger/delete_old_events", retention, limit);
  }

  /** Deletes old decisions about ends of runs. */
  public static int forgetChains(Handle handle, Duration retention, int limit) {
    return delete(handle, "trigger/delete_old_chains", retention, limit);
  }

  private static int delete(Handle handle, String statement, Duration retention, int limit) {
    return handle
        .createUpdate(Sql.named(statement))
        .bind("retention_seconds", (double) retention.toSeconds())
        .bind("limit", limit)
        .execute();
  }

  private record Numbered(int number, UUID id, NewEvent event) {}

  private record Earlier(UUID id, boolean same) {}
}
