package dev.belay.engine.bulk;

import dev.belay.domain.bulk.BulkKind;

/** Counts the work of bulk operations. Never blocks, never throws. */
public interface BulkMeters {

  BulkMeters NONE =
      new BulkMeters() {
        @Override
        public void dealtWith(BulkKind kind, int changed, int refused) {}

        @Override
        public void active(int operations) {}

        @Override
        public void failed() {}
      };

  /** Items of an operation, and these are committed. */
  void dealtWith(BulkKind kind, int changed, int refused);

  /** How many operations are RUNNING; 0 when this replica does not lead. */
  void active(int operations);

  /** An operation could not continue, and raised an alert. */
  void failed();
}
