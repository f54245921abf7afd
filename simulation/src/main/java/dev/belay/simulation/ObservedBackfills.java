package dev.belay.simulation;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import java.util.List;
import java.util.Optional;

/** What is stored about backfills. */
public interface ObservedBackfills {

  /**
   * A backfill.
   *
   * @param runs how many it has created
   */
  record Row(BackfillId id, BackfillState state, int total, int fired, int skipped, int runs) {}

  /** By id. */
  List<Row> all();

  /**
   * Instants with two runs of one backfill, and backfills with more open runs than their
   * concurrency; a run that a person reopened is one more.
   */
  List<String> odd();

  /** The backfill that created the run. */
  Optional<BackfillId> of(RunId run);
}
