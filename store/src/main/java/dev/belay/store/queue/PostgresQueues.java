package dev.belay.store.queue;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.port.QueueStore;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.intake.SpecHash;
import dev.belay.workflow.QueueCodec;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/** Task queues on PostgreSQL. */
public final class PostgresQueues implements QueueStore {

  private final Jdbi jdbi;

  public PostgresQueues(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  private record Stored(String hash, String spec, TaskQueue queue) {
    static Stored of(TaskQueue queue) {
      String spec = QueueCodec.toJson(queue);
      return new Stored(HexFormat.of().formatHex(SpecHash.of(spec)), spec, queue);
    }
  }

  @Override
  public Map<TaskQueue, QueueId> intern(Collection<TaskQueue> queues) {
    Map<String, Stored> open = new HashMap<>();
    for (TaskQueue queue : queues) {
      Stored one = Stored.of(queue);
      open.put(one.hash(), one);
    }
    Map<TaskQueue, QueueId> ids = new HashMap<>();
    find(List.copyOf(open.keySet())).forEach((hash, id) -> ids.put(taken(open, hash), id));
    if (!open.isEmpty()) {
      List<Stored> missing = List.copyOf(open.values());
      Retry.on(Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE), () -> insert(missing))
          .forEach((hash, id) -> ids.put(taken(open, hash), id));
    }
    return ids;
  }

  private static TaskQueue taken(Map<String, Stored> open, String hash) {
    Stored one = open.remove(hash);
    if (one == null) {
      throw new IllegalStateException("nobody asked for the task queue " + hash);
    }
    return one.queue();
  }

  private Map<String, QueueId> find(List<String> hashes) {
    return jdbi.withHandle(
        handle -> {
          var query = handle.createQuery(Sql.named("queue/find_queues"));
          return byHash(Unnest.bind(query, "hashes", String.class, hashes, hash -> hash));
        });
  }

  private Map<String, QueueId> insert(List<Stored> queues) {
    return jdbi.inTransaction(
        handle -> {
          var query = handle.createQuery(Sql.named("queue/intern_queues"));
          Unnest.bind(query, "hashes", String.class, queues, Stored::hash);
          return byHash(Unnest.bind(query, "specs", String.class, queues, Stored::spec));
        });
  }

  private static Map<String, QueueId> byHash(Query query) {
    Map<String, QueueId> ids = new HashMap<>();
    query
        .map((row, context) -> Map.entry(row.getString("hash"), new QueueId(row.getLong("id"))))
        .forEach(entry -> ids.put(entry.getKey(), entry.getValue()));
    return ids;
  }

  @Override
  public Map<QueueId, TaskQueue> readQueues(Collection<QueueId> ids) {
    Map<QueueId, TaskQueue> queues = new HashMap<>();
    jdbi.useHandle(
        handle -> {
          var query = handle.createQuery(Sql.named("queue/read_queues"));
          Unnest.bind(query, "ids", Long.class, List.copyOf(ids), QueueId::value)
              .map(
                  (row, context) ->
                      Map.entry(
                          new QueueId(row.getLong("id")),
                          QueueCodec.fromJson(row.getString("spec"))))
              .forEach(entry -> queues.put(entry.getKey(), entry.getValue()));
        });
    return queues;
  }
}
