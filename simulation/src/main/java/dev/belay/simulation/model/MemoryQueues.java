package dev.belay.simulation.model;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.port.QueueStore;
import dev.belay.workflow.QueueCodec;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Task queues in memory. No simulation is long enough to forget one. */
final class MemoryQueues implements QueueStore {

  private final Tables tables;

  MemoryQueues(Tables tables) {
    this.tables = tables;
  }

  @Override
  public Map<TaskQueue, QueueId> intern(Collection<TaskQueue> queues) {
    var open = new TreeMap<String, TaskQueue>();
    queues.forEach(queue -> open.put(QueueCodec.toJson(queue), queue));
    Map<TaskQueue, QueueId> ids = new HashMap<>();
    // queue/find_queues
    tables.database.<Boolean>statement(
        statement ->
            open.entrySet()
                .removeIf(
                    entry -> {
                      var found = statement.read(tables.taskQueue, entry.getKey());
                      found.ifPresent(row -> ids.put(entry.getValue(), row.id()));
                      return found.isPresent();
                    }));
    // queue/intern_queues
    if (!open.isEmpty()) {
      tables.database.<Integer>statement(
          statement -> {
            open.forEach((spec, queue) -> ids.put(queue, insert(statement, spec, queue)));
            return open.size();
          });
    }
    return ids;
  }

  private QueueId insert(ModelStatement statement, String spec, TaskQueue queue) {
    return statement
        .upsert(
            tables.taskQueue,
            spec,
            new QueueRow(tables.nextQueue(statement), queue),
            any -> true,
            same -> {})
        .orElseThrow()
        .id();
  }

  @Override
  public Map<QueueId, TaskQueue> readQueues(Collection<QueueId> ids) {
    return tables.database.statement(
        statement -> {
          Map<QueueId, TaskQueue> found = new HashMap<>();
          statement
              .rows(tables.taskQueue, row -> ids.contains(row.id()))
              .forEach(row -> found.put(row.id(), row.queue()));
          return found;
        });
  }
}
