package dev.belay.engine.port;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import java.util.Collection;

/** Hints that the database may have changed. Nothing depends on a hint: polls find the same. */
public interface Hints {

  /** Drops all hints. */
  Hints NONE =
      new Hints() {
        @Override
        public void workReady() {}

        @Override
        public void runChanged() {}

        @Override
        public void dueIn(Duration wait) {}

        @Override
        public void mailbox(WorkerId worker) {}

        @Override
        public void leaderLeft() {}
      };

  /** A slot became free, or a task SCHEDULED in a task queue that a poll finds. */
  void workReady();

  /**
   * Tasks became SCHEDULED.
   *
   * @param queues their task queues; empty means that the leader must find out which
   */
  default void workReady(Collection<QueueId> queues) {
    workReady();
  }

  /** A slot became free, told by another replica. */
  default void workReadyElsewhere() {
    workReady();
  }

  /** A mark was appended, or a task waits for a time. */
  void runChanged();

  /** A run ended: a trigger may wait for that. */
  default void runEnded() {}

  /** An event was stored: a trigger may wait for it. */
  default void eventStored() {}

  /** A new task waits for a time that is this far away. */
  default void dueIn(Duration wait) {
    runChanged();
  }

  /**
   * A trigger is new, changed or resumed, or a backfill or bulk operation has begun: the loops of
   * the leader beside the tick may have something to do sooner than they think.
   */
  default void triggersChanged() {}

  /** A pool, a topic, a tenant or a limit of a workflow changed: tasks may start, or may not. */
  default void routingChanged() {
    workReady();
  }

  /** The mailbox of this worker may have changed. */
  void mailbox(WorkerId worker);

  /** The leader resigned: another replica should campaign now. */
  void leaderLeft();
}
