package dev.belay.engine.deadletter;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.DeadLetterStatements.GivenUp;
import dev.belay.engine.statement.DeadLetterStatements.Hopeless;
import dev.belay.engine.statement.DeadLetterStatements.NewLetter;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives up tasks that have waited too long in task queues that nothing can serve. */
public final class GiveUp {

  private static final Logger log = LoggerFactory.getLogger(GiveUp.class);
  private static final String ACTOR = "dispatcher";

  private final Transactions transactions;
  private final DeadLetters deadLetters;
  private final Hints hints;
  private final Meters meters;

  public GiveUp(Transactions transactions, DeadLetters deadLetters, Hints hints, Meters meters) {
    this.transactions = transactions;
    this.deadLetters = deadLetters;
    this.hints = hints;
    this.meters = meters;
  }

  /**
   * Ends one batch of tasks, each with its dead letter, in one transaction.
   *
   * @param queues each once, with the reason that is in force
   * @param routing the version of what people declared, for which that was found; gives nothing up
   *     when it is another by now
   * @return how many there were; call again when it is {@code max}
   */
  public int runOnce(Epoch epoch, List<Hopeless> queues, long routing, int max) {
    if (queues.isEmpty()) {
      return 0;
    }
    List<GivenUp> given = new ArrayList<>();
    List<DeadLettered> letters =
        transactions.asLeader(
            epoch,
            statements -> {
              given.clear();
              if (statements.deadLetters().lockRouting() != routing) {
                return List.of();
              }
              given.addAll(statements.deadLetters().giveUp(queues, max, ACTOR));
              return write(statements, queues, given);
            });
    if (given.isEmpty()) {
      return 0;
    }
    meters.happened(
        Effects.ended(Map.of(TaskState.FAILED, given.size()), List.of()).withDeadLetters(letters));
    log.atWarn().addKeyValue("tasks", given.size()).log("tasks given up: nothing can run them");
    if (given.stream().anyMatch(task -> task.run() != null)) {
      hints.runChanged();
    }
    return given.size();
  }

  private List<DeadLettered> write(
      Statements statements, List<Hopeless> queues, List<GivenUp> given) {
    if (given.isEmpty()) {
      return List.of();
    }
    Map<QueueId, Hopeless> reasons = new HashMap<>();
    queues.forEach(queue -> reasons.put(queue.queue(), queue));
    List<NewLetter> letters = new ArrayList<>();
    for (GivenUp task : given) {
      Hopeless why = reasons.get(task.queue());
      if (why == null) {
        throw new IllegalStateException("gave up a task of another queue: " + task);
      }
      letters.add(deadLetters.letter(task.task(), why.reason(), why.detail()));
    }
    return statements.deadLetters().insert(letters);
  }
}
