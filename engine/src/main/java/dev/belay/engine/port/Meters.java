package dev.belay.engine.port;

import java.time.Duration;
import java.util.List;

/** What is counted and timed while the engine works. Called by any thread; never blocks, throws. */
public interface Meters {

  /** For whoever does not look. */
  Meters NONE =
      new Meters() {
        @Override
        public void ticked(Duration took) {}

        @Override
        public void phaseDone(String phase, Duration took, boolean failed) {}

        @Override
        public void dispatched(List<Duration> waited) {}
      };

  /** The leader did one turn. */
  void ticked(Duration took);

  void phaseDone(String phase, Duration took, boolean failed);

  /**
   * A claim committed.
   *
   * @param waited for each task how long it had been SCHEDULED
   */
  void dispatched(List<Duration> waited);
}
