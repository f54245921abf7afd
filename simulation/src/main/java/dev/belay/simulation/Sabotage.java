package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.reap.ReapWriter;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.statement.ResultStatements.LockedTask;
import dev.belay.engine.statement.Transactions;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The engine's writers without the missing guards. */
public final class Sabotage {

  private Sabotage() {}

  public static ResultWriter results(
      Transactions transactions, RetryDecision retries, DeadLetters deadLetters, Guards guards) {
    return new ResultWriter(transactions, retries, Promises.DEFAULT, deadLetters) {

      @Override
      protected @Nullable LockedTask seenBy(WorkerEvent speaker, @Nullable LockedTask task) {
        return task == null || guards.has(RaceGuard.SESSION)
            ? task
            : new LockedTask(
                task.id(),
                task.state(),
                task.worker(),
                speaker.session(),
                task.isCurrent(),
                task.attemptEnded(),
                task.abort(),
                task.tried(),
                task.topic());
      }
    };
  }

  public static ReapWriter reaps(
      Transactions transactions,
      ReapReads reads,
      ResultWriter results,
      ReapSettings settings,
      Consumer<List<DispatchId>> over,
      Guards guards) {
    return new ReapWriter(
        transactions, reads, results, settings, Promises.DEFAULT, Meters.NONE, over) {

      @Override
      protected boolean isStill(Optional<Witness> judged, Optional<Witness> now) {
        return guards.pass(RaceGuard.WITNESS, super.isStill(judged, now));
      }
    };
  }
}
