package dev.belay.engine.dispatch;

import dev.belay.domain.fair.Ageing;
import dev.belay.domain.fair.Waiting;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Router;
import dev.belay.engine.dispatch.Gates.Blocker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task queue that waits, as far as {@link OpenQueues} knows, which changes it. */
final class OpenQueue {
  final QueueId id;
  final TaskQueue spec;
  List<String> pools;
  String group;
  boolean unlimited;

  /** Nobody knows its first task: it is read first. */
  boolean unread;

  /** It is read even while something blocks it: perhaps no task waits in it any more. */
  boolean doubted;

  @Nullable Blocker blocker;
  @Nullable Waiting waiting;

  OpenQueue(QueueId id, TaskQueue spec, Router router) {
    this.id = id;
    this.spec = spec;
    this.pools = router.pools(spec.placement());
    this.group = router.group(spec.placement());
  }

  QueueId id() {
    return id;
  }

  TaskQueue spec() {
    return spec;
  }

  /** Those that may run its tasks. */
  List<String> pools() {
    return pools;
  }

  /** The pools that share workers with its own. */
  String group() {
    return group;
  }

  /** No limit concerns it. */
  boolean isUnlimited() {
    return unlimited;
  }

  void unlimited(boolean nothingLimitsIt) {
    unlimited = nothingLimitsIt;
  }

  int slots() {
    return spec.placement().size().slots();
  }

  int priority() {
    return waiting == null ? Ageing.PRIORITY_MAX : waiting.priority();
  }
}
