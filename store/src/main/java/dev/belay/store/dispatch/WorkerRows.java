package dev.belay.store.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.routing.Worker.Condition;
import dev.belay.domain.routing.Worker.Presence;
import dev.belay.domain.routing.Worker.Traits;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Holdings;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Reads workers and what they hold. It remembers what a worker says of itself when it connects, and
 * reads that again only after a new connection: so 10,000 workers are one short row each.
 * Thread-safe.
 */
public final class WorkerRows {

  private volatile Map<WorkerId, Hello> hellos = Map.of();

  /** Names what a worker said: each connection of each process says it once. */
  private record Said(SessionId session, long connection) {}

  private record Hello(Said said, String name, Traits traits, Load capacity) {}

  private record Seen(WorkerId id, Said said, Condition condition) {}

  /**
   * @param silence a worker that is silent for longer gets no work
   */
  public Holdings read(Handle handle, Duration silence) {
    List<Seen> seen = new ArrayList<>();
    List<Held> held = new ArrayList<>();
    List<Instant> now = new ArrayList<>(1);
    handle
        .createQuery(Sql.named("dispatch/read_workers"))
        .bind("silence_seconds", silence.toMillis() / 1000.0)
        .map((row, context) -> read(row, seen, held, now))
        .forEach(previous -> {});
    Map<WorkerId, Hello> known = known(handle, seen);
    List<Worker> workers = new ArrayList<>(seen.size());
    for (Seen each : seen) {
      Hello hello = known.get(each.id());
      if (hello != null) { // Else it was removed in this moment.
        workers.add(worker(each, hello));
      }
    }
    return new Holdings(workers, held, now.getFirst());
  }

  private static Worker worker(Seen seen, Hello hello) {
    return new Worker(
        seen.id(),
        hello.said().session(),
        hello.name(),
        hello.traits(),
        hello.capacity(),
        Load.NONE,
        seen.condition());
  }

  private Map<WorkerId, Hello> known(Handle handle, List<Seen> seen) {
    Map<WorkerId, Hello> before = hellos;
    Map<WorkerId, Hello> known = new HashMap<>();
    List<WorkerId> missing = new ArrayList<>();
    for (Seen each : seen) {
      Hello hello = before.get(each.id());
      if (hello != null && hello.said().equals(each.said())) {
        known.put(each.id(), hello);
      } else {
        missing.add(each.id());
      }
    }
    if (missing.isEmpty() && known.size() == before.size()) {
      return before;
    }
    if (!missing.isEmpty()) {
      var query = handle.createQuery(Sql.named("dispatch/read_traits"));
      Unnest.bind(query, "ids", UUID.class, missing, WorkerId::value)
          .map((row, context) -> Map.entry(id(row), hello(row)))
          .forEach(entry -> known.put(entry.getKey(), entry.getValue()));
    }
    hellos = known;
    return known;
  }

  /** The row is the time, a worker, or what one holds. */
  private static boolean read(ResultSet row, List<Seen> seen, List<Held> held, List<Instant> now)
      throws SQLException {
    Double seconds = row.getObject("now", Double.class);
    if (seconds != null) {
      return now.add(instant(seconds));
    }
    Array dispatches = row.getArray("dispatches");
    if (dispatches == null) {
      return seen.add(new Seen(id(row), said(row), condition(row)));
    }
    WorkerId id = id(row);
    UUID[] ids = (UUID[]) dispatches.getArray();
    Long[] queues = (Long[]) row.getArray("queues").getArray();
    String[] pools = (String[]) row.getArray("in_pools").getArray();
    Double[] since = (Double[]) row.getArray("since").getArray();
    for (int i = 0; i < ids.length; i++) {
      held.add(
          new Held(
              new DispatchId(ids[i]),
              id,
              queues[i] == null ? null : new QueueId(queues[i]),
              pools[i],
              instant(since[i])));
    }
    return false;
  }

  private static WorkerId id(ResultSet row) throws SQLException {
    return new WorkerId(row.getObject("id", UUID.class));
  }

  private static Said said(ResultSet row) throws SQLException {
    return new Said(
        new SessionId(row.getObject("session_id", UUID.class)), row.getLong("connection"));
  }

  private static Condition condition(ResultSet row) throws SQLException {
    return new Condition(
        Presence.valueOf(row.getString("presence")),
        row.getBoolean("set_aside"),
        row.getInt("withheld_slots"),
        row.getFloat("cpu_percent"),
        row.getFloat("gpu_percent"),
        null);
  }

  private static Hello hello(ResultSet row) throws SQLException {
    return new Hello(
        said(row),
        row.getString("name"),
        new Traits(texts(row, "pools"), texts(row, "capabilities"), labels(row)),
        new Load(row.getInt("slots"), row.getLong("memory_bytes"), row.getInt("cpu_millis")));
  }

  private static Set<String> texts(ResultSet row, String column) throws SQLException {
    return Set.copyOf(List.of((String[]) row.getArray(column).getArray()));
  }

  private static Map<String, String> labels(ResultSet row) throws SQLException {
    Map<String, String> labels = new HashMap<>();
    String[] names = (String[]) row.getArray("label_names").getArray();
    String[] values = (String[]) row.getArray("label_values").getArray();
    for (int i = 0; i < names.length; i++) {
      labels.put(names[i], values[i]);
    }
    return labels;
  }

  static Instant instant(double seconds) {
    long whole = (long) Math.floor(seconds);
    return Instant.ofEpochSecond(whole, Math.round((seconds - whole) * 1e9));
  }
}
