package dev.belay.simulation.intake;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.RetryCondition;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.settle.StartBackoff;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.result.ResultWriter;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.transaction.PostgresTransactions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jdbi.v3.core.Jdbi;

/** The ends of attempts: of those that succeeded, or of those that are given up. */
final class WorkerResults implements Inlet<WorkerResults.Result> {

  private static final StartBackoff GIVES_UP_AT_ONCE =
      new StartBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, 1);

  private final LiveStore store;
  private final Outcome outcome;
  private final TaskState ends;

  private WorkerResults(LiveStore store, Outcome outcome, TaskState ends) {
    this.store = store;
    this.outcome = outcome;
    this.ends = ends;
  }

  static WorkerResults succeeding(LiveStore store) {
    return new WorkerResults(store, new Outcome.Exited(0, 0), TaskState.SUCCEEDED);
  }

  static WorkerResults givenUp(LiveStore store) {
    return new WorkerResults(store, new Outcome.Refused("no resources: files"), TaskState.FAILED);
  }

  record Result(TaskId task, WorkerEvent event) {}

  @Override
  public Result next() {
    var task = store.submit(RunPolicy.DEFAULT);
    var peer = store.newWorker();
    var dispatch = store.claim(peer, task);
    return new Result(
        task, WorkerEvent.Ended.of(peer.worker(), peer.session(), dispatch, task, outcome));
  }

  @Override
  public Object deliver(Jdbi process, Result message) {
    var usual = RetryDecision.Waits.DEFAULT;
    var retries =
        new RetryDecision(
            new Random(1),
            new RetryDecision.Waits(
                usual.crash(), usual.unavailable(), usual.refused(), GIVES_UP_AT_ONCE),
            RetryCondition.NONE);
    var writer =
        new ResultWriter(
            new PostgresTransactions(process),
            retries,
            Promises.DEFAULT,
            new DeadLetters(store.ids(), false));
    Settlement settled = writer.write(List.of(message.event())).settlements().getFirst();
    // The worker may forget it in both cases.
    return settled.answer() == Answer.APPLIED ? Answer.DUPLICATE : settled.answer();
  }

  @Override
  public Effect effect(Result message) {
    var state = TaskState.valueOf(store.task(message.task(), "state"));
    long letters = store.rows().count("dead_letter WHERE task_id = '" + message.task() + "'");
    long ends =
        store
            .rows()
            .count(
                "history WHERE task_id = '%s' AND to_state = '%s'"
                    .formatted(message.task(), this.ends));
    if (state == TaskState.DISPATCHED && letters == 0 && ends == 0) {
      return Effect.NONE;
    }
    boolean whole =
        state == this.ends && ends == 1 && letters == (this.ends == TaskState.FAILED ? 1 : 0);
    return whole ? Effect.WHOLE : Effect.BROKEN;
  }

  @Override
  public String toString() {
    return "results of attempts that end as " + ends;
  }
}
