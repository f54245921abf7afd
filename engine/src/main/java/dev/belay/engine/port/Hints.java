package dev.belay.engine.port;

import dev.belay.domain.id.WorkerId;

/**
 * Says that somebody may want to look at the database now. Nothing depends on it: a poll stands
 * behind.
 */
public interface Hints {

  /** For whoever has nobody to tell. */
  Hints NONE =
      new Hints() {
        @Override
        public void workReady() {}

        @Override
        public void runChanged() {}

        @Override
        public void mailbox(WorkerId worker) {}

        @Override
        public void leaderLeft() {}
      };

  /** A task became SCHEDULED, or a slot free. */
  void workReady();

  /** A mark was appended, or a task waits for a time. */
  void runChanged();

  /** A dispatch of this worker has something to deliver. */
  void mailbox(WorkerId worker);

  /** The leader resigned: whoever can lead should try now. */
  void leaderLeft();
}
