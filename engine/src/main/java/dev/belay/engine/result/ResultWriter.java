package dev.belay.engine.result;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.port.Effects;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.Change;
import dev.belay.engine.statement.ResultStatements;
import dev.belay.engine.statement.ResultStatements.LockedTask;
import dev.belay.engine.statement.ResultStatements.LostOutput;
import dev.belay.engine.statement.ResultStatements.Speaker;
import dev.belay.engine.statement.ResultStatements.UsualWritten;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.Termination;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of workers, and the losses found in their place. It first folds a batch by
 * attempt and session, because an UPDATE that names a row twice keeps an arbitrary one. One
 * statement, in its own transaction, writes the usual results. A second transaction locks the
 * others in the order of their ids, judges and writes them. If it fails, the first stays written,
 * and its repetition is a duplicate.
 */
public class ResultWriter implements Results {

  private static final String ACTOR = "worker";

  private final Transactions transactions;
  private final RetryDecision retries;
  private final Promises promises;
  private final DeadLetters deadLetters;

  /**
   * @param promises how soon a loss that a worker reports must be written
   */
  public ResultWriter(
      Transactions transactions,
      RetryDecision retries,
      Promises promises,
      DeadLetters deadLetters) {
    this.transactions = transactions;
    this.retries = retries;
    this.promises = promises;
    this.deadLetters = deadLetters;
  }

  @Override
  public Written write(List<WorkerEvent> events) {
    IdentityHashMap<WorkerEvent, Answer> answers = new IdentityHashMap<>();
    noteLostOutput(events);
    List<Folded> rest = new ArrayList<>();
    List<Folded> usual = new ArrayList<>();
    fold(events).forEach(told -> (told.isUsual() ? usual : rest).add(told));
    UsualWritten written = writeUsual(usual);
    int succeeded = 0;
    for (int position = 0; position < usual.size(); position++) {
      Folded told = usual.get(position);
      if (!written.positions().get(position)) {
        rest.add(told);
        continue;
      }
      told.events().forEach(event -> answers.put(event, Answer.APPLIED));
      succeeded += told.end().isPresent() ? 1 : 0;
    }
    Judged judged =
        rest.isEmpty()
            ? Judged.NOTHING
            : transactions.together(statements -> judgeLosses(statements, rest, answers));
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    ended.putAll(judged.ended());
    if (succeeded > 0) {
      ended.merge(TaskState.SUCCEEDED, succeeded, Integer::sum);
    }
    Map<String, Map<TaskState, Integer>> topics = new HashMap<>();
    judged.topics().forEach((topic, states) -> topics.put(topic, new HashMap<>(states)));
    written.topics().forEach(topic -> count(topics, topic, TaskState.SUCCEEDED));
    return new Written(
        events.stream()
            .map(event -> new Settlement(event, answers.getOrDefault(event, Answer.VOID)))
            .toList(),
        Effects.ended(ended, judged.recovered())
            .ofTopics(topics)
            .withAlerts(judged.alerts())
            .withDeadLetters(judged.deadLetters()),
        written.marked() || judged.planSoon(),
        succeeded > 0 || judged.over(),
        judged.failed());
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return transactions.isAway(failure);
  }

  /** One for each session and dispatch. */
  private static Collection<Folded> fold(List<? extends WorkerEvent> events) {
    Map<Speaker, Folded> folded = new LinkedHashMap<>();
    for (WorkerEvent event : events) {
      folded.computeIfAbsent(speaker(event), speaker -> new Folded()).add(event);
    }
    return folded.values();
  }

  private static Speaker speaker(WorkerEvent event) {
    return new Speaker(
        new AttemptKey(event.task(), event.dispatch()), event.worker(), event.session());
  }

  /** Runs before the outcome; repeating the batch writes the same again. */
  private void noteLostOutput(List<WorkerEvent> events) {
    Map<AttemptKey, LostOutput> lost = new LinkedHashMap<>();
    for (WorkerEvent event : events) {
      if (event instanceof WorkerEvent.Ended ended && ended.execution().outputLostBytes() > 0) {
        var attempt = new AttemptKey(event.task(), event.dispatch());
        lost.put(
            attempt, new LostOutput(attempt, event.worker(), ended.execution().outputLostBytes()));
      }
    }
    if (!lost.isEmpty()) {
      transactions.<Integer>together(
          statements -> {
            // A claim that replaces the attempt must not come between.
            statements.results().lock(lost.keySet());
            statements.results().noteLostOutput(List.copyOf(lost.values()));
            return lost.size();
          });
    }
  }

  private UsualWritten writeUsual(List<Folded> folded) {
    if (folded.isEmpty()) {
      return new UsualWritten(new BitSet(), false, List.of());
    }
    List<ResultStatements.Usual> usual = new ArrayList<>(folded.size());
    for (Folded told : folded) {
      usual.add(
          new ResultStatements.Usual(
              speaker(told.any()),
              told.isAfterStart(),
              told.end().isPresent(),
              told.times(),
              told.end().map(Decision::detail).orElse(null)));
    }
    return transactions.each(statements -> statements.results().writeUsual(usual));
  }

  /**
   * Ends attempts in the caller's transaction without a result of their worker. Skips an attempt
   * that is over, or is no longer the task's current one.
   */
  public GivenUp giveUp(Statements statements, List<WorkerEvent.Ended> lost, String actor) {
    IdentityHashMap<WorkerEvent, Answer> answers = new IdentityHashMap<>();
    Judged judged = judge(statements, fold(lost), answers, actor);
    List<WorkerEvent.Ended> applied =
        lost.stream().filter(event -> answers.get(event) == Answer.APPLIED).toList();
    return new GivenUp(
        applied,
        judged.ended(),
        judged.topics(),
        judged.planSoon(),
        judged.alerts(),
        judged.deadLetters());
  }

  /**
   * @param applied those that ended an attempt
   * @param ended how many tasks reached a terminal state, by state
   * @param topics of these, those that have a topic, by topic
   * @param planSoon a run was marked, or a task waits for a time
   * @param alerts how many alerts were raised, by kind
   * @param deadLetters of tasks that are over for good
   */
  public record GivenUp(
      List<WorkerEvent.Ended> applied,
      Map<TaskState, Integer> ended,
      Map<String, Map<TaskState, Integer>> topics,
      boolean planSoon,
      Map<String, Integer> alerts,
      List<DeadLettered> deadLetters) {}

  /**
   * @param planSoon a run was marked, or a task waits for a time
   * @param over an attempt ended
   * @param losses that workers reported
   * @param recovered the recorded recoveries among them
   * @param alerts how many alerts were raised, by kind
   * @param failed attempts that failed by themselves
   * @param deadLetters that were written
   */
  private record Judged(
      Map<TaskState, Integer> ended,
      Map<String, Map<TaskState, Integer>> topics,
      boolean planSoon,
      boolean over,
      Map<AttemptKey, RecoveryKind> losses,
      List<Recovered> recovered,
      Map<String, Integer> alerts,
      Set<DispatchId> failed,
      List<DeadLettered> deadLetters) {
    static final Judged NOTHING =
        new Judged(
            Map.of(), Map.of(), false, false, Map.of(), List.of(), Map.of(), Set.of(), List.of());

    Judged with(List<Recovered> recorded) {
      return new Judged(
          ended, topics, planSoon, over, losses, recorded, alerts, failed, deadLetters);
    }
  }

  /** Judges losses that workers reported, which are recoveries. */
  private Judged judgeLosses(
      Statements statements,
      Collection<Folded> folded,
      IdentityHashMap<WorkerEvent, Answer> answers) {
    Judged judged = judge(statements, folded, answers, ACTOR);
    return judged.losses().isEmpty()
        ? judged
        : judged.with(recordLosses(statements, judged.losses()));
  }

  private List<Recovered> recordLosses(
      Statements statements, Map<AttemptKey, RecoveryKind> losses) {
    List<Recovered> recovered = new ArrayList<>();
    for (var sign : statements.recoveries().readLastSigns(losses.keySet(), promises.heartbeat())) {
      RecoveryKind kind = losses.get(new AttemptKey(sign.task(), sign.dispatch()));
      if (kind != null) {
        recovered.add(
            new Recovered(
                kind,
                sign.task(),
                null,
                sign.dispatch(),
                sign.worker(),
                kind == RecoveryKind.NOT_REPORTED ? sign.sinceHeartbeat() : sign.sinceHello(),
                promises.of(kind)));
      }
    }
    statements.recoveries().record(recovered);
    return recovered;
  }

  private Judged judge(
      Statements statements,
      Collection<Folded> folded,
      IdentityHashMap<WorkerEvent, Answer> answers,
      String actor) {
    Set<AttemptKey> attempts = new LinkedHashSet<>();
    folded.forEach(told -> attempts.add(told.attempt()));
    Map<AttemptKey, LockedTask> locked = statements.results().lock(attempts);
    Map<TaskId, Work> works = readWorks(statements.results(), folded, locked);
    List<Change> changes = new ArrayList<>();
    Map<AttemptKey, ResultStatements.Late> late = new LinkedHashMap<>();
    Map<AttemptKey, RecoveryKind> losses = new LinkedHashMap<>();
    Set<DispatchId> failed = new HashSet<>();
    for (Folded told : folded) {
      LockedTask task = seenBy(told.any(), locked.get(told.attempt()));
      var decision = Decision.of(told, task, task == null ? null : works.get(task.id()), retries);
      decision.change().ifPresent(changes::add);
      decision.late().ifPresent(first -> late.putIfAbsent(told.attempt(), first));
      if (decision.isFailure(told)) {
        failed.add(told.any().dispatch());
      }
      if (decision.answer() == Answer.APPLIED) {
        told.loss().ifPresent(kind -> losses.put(told.attempt(), kind));
      }
      told.events().forEach(event -> answers.put(event, decision.answer()));
    }
    boolean marked = change(statements.results(), changes, actor);
    if (!late.isEmpty()) {
      statements.results().annotate(List.copyOf(late.values()));
    }
    var letters = deadLetters.ofResults(statements.deadLetters(), changes);
    return judged(
        changes, locked, marked, losses, alert(statements, changes, locked), failed, letters);
  }

  /** The task as it is. The simulation's sabotage replaces it. */
  protected @Nullable LockedTask seenBy(WorkerEvent speaker, @Nullable LockedTask task) {
    return task;
  }

  /** Only attempts without success need the policy. */
  private static Map<TaskId, Work> readWorks(
      ResultStatements statements, Collection<Folded> folded, Map<AttemptKey, LockedTask> locked) {
    Set<TaskId> tasks = new LinkedHashSet<>();
    for (Folded told : folded) {
      LockedTask task = locked.get(told.attempt());
      if (task != null && told.needsPolicy()) {
        tasks.add(task.id());
      }
    }
    return tasks.isEmpty() ? Map.of() : statements.readWorks(tasks);
  }

  private static boolean change(ResultStatements statements, List<Change> changes, String actor) {
    if (changes.isEmpty()) {
      return false;
    }
    ResultStatements.Changed changed = statements.change(changes, actor);
    if (changed.count() != changes.size()) {
      // The rows were judged under their lock, so only a bug leads here.
      throw new IllegalStateException(
          "wrote " + changed.count() + " of " + changes.size() + " results");
    }
    return changed.marked();
  }

  /** Some reasons to end an attempt are for a person to see. */
  private static Map<String, Integer> alert(
      Statements statements, List<Change> changes, Map<AttemptKey, LockedTask> locked) {
    Map<String, Integer> alerts = new HashMap<>();
    for (Change change : changes) {
      LockedTask task =
          locked.get(new AttemptKey(change.guard().task(), change.guard().dispatch()));
      Abort abort = task == null ? null : task.abort();
      if (abort != null && change.isOver() && change.to() == abort.reason().leadsTo()) {
        Termination.alert(statements, change.guard().task(), abort.reason())
            .forEach((kind, raised) -> alerts.merge(kind, raised, Integer::sum));
      }
    }
    return alerts;
  }

  private static Judged judged(
      List<Change> changes,
      Map<AttemptKey, LockedTask> locked,
      boolean marked,
      Map<AttemptKey, RecoveryKind> losses,
      Map<String, Integer> alerts,
      Set<DispatchId> failed,
      List<DeadLettered> letters) {
    Map<TaskState, Integer> ended = new HashMap<>();
    Map<String, Map<TaskState, Integer>> topics = new HashMap<>();
    boolean waits = false;
    boolean over = false;
    for (Change change : changes) {
      if (change.to().isTerminal()) {
        ended.merge(change.to(), 1, Integer::sum);
        LockedTask task =
            locked.get(new AttemptKey(change.guard().task(), change.guard().dispatch()));
        if (task != null && task.topic() != null) {
          count(topics, task.topic(), change.to());
        }
      }
      waits |= change.waits();
      over |= change.isOver();
    }
    return new Judged(
        ended, topics, marked || waits, over, losses, List.of(), alerts, failed, letters);
  }

  private static void count(
      Map<String, Map<TaskState, Integer>> topics, String topic, TaskState state) {
    topics.computeIfAbsent(topic, _ -> new HashMap<>()).merge(state, 1, Integer::sum);
  }
}
