package dev.belay.engine.port;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** Stored task queues. */
public interface QueueStore {

  /** A task queue that was interned within this time stays, whether or not a task names it. */
  Duration UNUSED_KEPT = Duration.ofDays(3);

  /** Stores those that are new, and notes that all of them are in use; commits. */
  Map<TaskQueue, QueueId> intern(Collection<TaskQueue> queues);

  /** Those that exist. */
  Map<QueueId, TaskQueue> readQueues(Collection<QueueId> ids);
}
