package dev.belay.engine.port;

import java.util.Map;

/** Counts what triggers did. Called by any thread; never blocks, never throws. */
public interface TriggerMeters {

  /** Drops all measurements. */
  TriggerMeters NONE =
      new TriggerMeters() {
        @Override
        public void chainsDecided(Map<String, Integer> outcomes) {}

        @Override
        public void eventsDecided(Map<String, Integer> outcomes) {}

        @Override
        public void undecided(long chains, long events) {}
      };

  /**
   * Ends of runs were decided.
   *
   * @param outcomes how many, by the word of the outcome
   */
  void chainsDecided(Map<String, Integer> outcomes);

  /** Events were decided, each for one trigger. */
  void eventsDecided(Map<String, Integer> outcomes);

  /** How many are there now, up to a limit; zero when this replica does not lead. */
  void undecided(long chains, long events);
}
