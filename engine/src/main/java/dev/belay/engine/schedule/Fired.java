package dev.belay.engine.schedule;

import dev.belay.domain.id.RunId;
import dev.belay.domain.schedule.DueInstants.Decision;
import dev.belay.domain.schedule.DueInstants.Outcome;
import dev.belay.engine.port.ScheduleReads.Due;
import dev.belay.engine.statement.ScheduleStatements.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for one version of a trigger, to be written together.
 *
 * @param instants new rows of the ledger
 * @param replayed rows that change, because the trigger was resumed
 * @param trouble why an instant could not start its run, for an alert; null when all went well
 */
record Fired(
    Due due,
    Cursor cursor,
    List<Instance> instants,
    List<Instance> replayed,
    @Nullable String trouble) {

  /**
   * An instant with the run that it starts.
   *
   * @param run null when it starts none
   */
  record Instance(Decision decision, @Nullable RunId run, String params) {
    static Instance without(Decision decision) {
      return new Instance(decision, null, "");
    }
  }

  static Decision skipped(Decision decision, String reason) {
    return new Decision(decision.at(), decision.due(), Outcome.SKIPPED, reason, null);
  }
}
