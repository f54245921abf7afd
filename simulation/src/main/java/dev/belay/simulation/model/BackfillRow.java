package dev.belay.simulation.model;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.TriggerId;
import dev.belay.engine.statement.BackfillStatements.NewBackfill;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A row of the table backfill. */
final class BackfillRow implements Cloneable {
  final NewBackfill given;
  BackfillState state = BackfillState.RUNNING;
  @Nullable Instant nextAt;
  int fired;
  int skipped;
  @Nullable String reason;

  BackfillRow(NewBackfill given) {
    this.given = given;
    this.nextAt = given.first();
  }

  WorkflowName name() {
    return new WorkflowName(given.tenant(), given.workflow());
  }

  /** Whether instants of the trigger that it ran are not for the schedule any more. */
  boolean takes(WorkflowName workflow, TriggerId trigger) {
    TriggerId mine = given.schedule().trigger();
    return name().equals(workflow)
        && given.rules().existing() != Existing.ALL
        && (mine == null || mine.equals(trigger));
  }

  BackfillRow copy() {
    try {
      return (BackfillRow) clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The key of the table backfill_fire. */
  record FireKey(BackfillId backfill, Instant at) implements Comparable<FireKey> {

    private static final Comparator<FireKey> ORDER =
        Comparator.comparing(FireKey::backfill).thenComparing(FireKey::at);

    @Override
    public int compareTo(FireKey other) {
      return ORDER.compare(this, other);
    }
  }
}
