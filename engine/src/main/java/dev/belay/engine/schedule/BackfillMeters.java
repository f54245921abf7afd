package dev.belay.engine.schedule;

/** Counts the work of backfills. Never blocks, never throws. */
public interface BackfillMeters {

  BackfillMeters NONE =
      new BackfillMeters() {
        @Override
        public void created(int runs) {}

        @Override
        public void active(int backfills) {}

        @Override
        public void gaveUp() {}
      };

  /** Backfills created runs, and these are committed. */
  void created(int runs);

  /** How many backfills are RUNNING; 0 when this replica does not lead. */
  void active(int backfills);

  /** A backfill could not continue, and raised an alert. */
  void gaveUp();
}
