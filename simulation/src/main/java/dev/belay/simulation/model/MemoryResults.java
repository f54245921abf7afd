package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.Judge;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ResultStore;
import dev.belay.engine.result.Decision;
import dev.belay.engine.result.Folded;
import dev.belay.engine.result.LockedTask;
import dev.belay.engine.result.Write;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.guard.Guard;
import dev.belay.simulation.model.ResultWrites.Locked;
import dev.belay.simulation.model.Usual.Speaker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Results in memory. The usual reports are written by one statement; what is left is locked, judged
 * and written in another transaction.
 */
final class MemoryResults implements ResultStore {

  private static final String ACTOR = "worker";

  private final Tables tables;
  private final Judge judge;
  private final Usual usual;
  private final ResultWrites writes;

  MemoryResults(Tables tables, Judge judge) {
    this.tables = tables;
    this.judge = judge;
    this.usual = new Usual(tables);
    this.writes = new ResultWrites(tables);
  }

  @Override
  public Outcome apply(List<WorkerEvent> events) {
    Collection<Folded> folded = fold(events);
    IdentityHashMap<WorkerEvent, Answer> answers = new IdentityHashMap<>();
    Usual.Written written = usual.write(folded, ACTOR);
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    List<Folded> rest = new ArrayList<>();
    for (Folded reports : folded) {
      if (!written.has(reports)) {
        rest.add(reports);
        continue;
      }
      reports.events().forEach(event -> answers.put(event, Answer.APPLIED));
      if (reports.end().isPresent()) {
        ended.merge(TaskState.SUCCEEDED, 1, Integer::sum);
      }
    }
    boolean usualEnded = !ended.isEmpty();
    Judged judged =
        rest.isEmpty()
            ? Judged.NOTHING
            : tables.database.transaction(
                transaction -> {
                  Judged now = judge(transaction, rest, answers, ACTOR);
                  Recoveries.recordLosses(tables, transaction, now.losses(), Promises.DEFAULT);
                  return now;
                });
    judged.ended().forEach((state, tasks) -> ended.merge(state, tasks, Integer::sum));
    List<Settlement> settlements = new ArrayList<>(events.size());
    for (WorkerEvent event : events) {
      settlements.add(new Settlement(event, answers.getOrDefault(event, Answer.VOID)));
    }
    return new Outcome(
        settlements, ended, written.marked() || judged.planSoon(), usualEnded || judged.over());
  }

  private Collection<Folded> fold(List<? extends WorkerEvent> events) {
    if (!tables.guards.has(Guard.FOLD_BY_DISPATCH)) {
      List<Folded> each = new ArrayList<>();
      for (WorkerEvent event : events) {
        var alone = new Folded();
        alone.add(event);
        each.add(alone);
      }
      return each;
    }
    Map<Speaker, Folded> folded = new LinkedHashMap<>();
    for (WorkerEvent event : events) {
      folded.computeIfAbsent(Speaker.of(event), speaker -> new Folded()).add(event);
    }
    return folded.values();
  }

  /**
   * Ends attempts in the caller's transaction, on the word of another than their worker. What is
   * over meanwhile, or not the task's current attempt, is left alone.
   */
  Given giveUp(Transaction transaction, List<WorkerEvent.Lost> lost, String actor) {
    IdentityHashMap<WorkerEvent, Answer> answers = new IdentityHashMap<>();
    Judged judged = judge(transaction, fold(lost), answers, actor);
    List<WorkerEvent.Lost> applied = new ArrayList<>();
    for (WorkerEvent.Lost event : lost) {
      if (answers.get(event) == Answer.APPLIED) {
        applied.add(event);
      }
    }
    return new Given(applied, judged.ended(), judged.planSoon());
  }

  /**
   * @param applied those that ended an attempt
   * @param ended how many tasks reached a terminal state, by state
   * @param planSoon a run was marked, or a task waits for a time
   */
  record Given(List<WorkerEvent.Lost> applied, Map<TaskState, Integer> ended, boolean planSoon) {}

  /**
   * @param planSoon a run was marked, or a task waits for a time
   * @param over an attempt ended
   * @param losses that workers told of
   */
  private record Judged(
      Map<TaskState, Integer> ended,
      boolean planSoon,
      boolean over,
      Map<DispatchId, RecoveryKind> losses) {
    static final Judged NOTHING = new Judged(Map.of(), false, false, Map.of());
  }

  private Judged judge(
      Transaction transaction,
      Collection<Folded> folded,
      IdentityHashMap<WorkerEvent, Answer> answers,
      String actor) {
    Set<DispatchId> dispatches = new LinkedHashSet<>();
    folded.forEach(reports -> dispatches.add(reports.any().dispatch()));
    Map<DispatchId, Locked> locked =
        transaction.statement(statement -> writes.lock(statement, dispatches));
    Map<TaskId, Work> works = readWorks(transaction, folded, locked);
    List<Write> wanted = new ArrayList<>();
    List<Write.Late> lates = new ArrayList<>();
    Map<DispatchId, RecoveryKind> losses = new LinkedHashMap<>();
    for (Folded reports : folded) {
      Decision decision = decide(reports, locked.get(reports.any().dispatch()), works);
      decision.write().ifPresent(wanted::add);
      decision.late().ifPresent(lates::add);
      if (decision.answer() == Answer.APPLIED) {
        reports.loss().ifPresent(kind -> losses.put(reports.any().dispatch(), kind));
      }
      reports.events().forEach(event -> answers.put(event, decision.answer()));
    }
    boolean marked = write(transaction, wanted, lates, actor);
    return judged(wanted, marked, losses);
  }

  private Decision decide(Folded reports, @Nullable Locked rows, Map<TaskId, Work> works) {
    if (rows == null) {
      return Decision.of(reports, null, null, judge);
    }
    LockedTask task = writes.seenBy(reports.any(), rows);
    return Decision.of(reports, task, works.get(rows.task().id), judge);
  }

  /** The policy is needed only where an attempt ended without success. */
  private Map<TaskId, Work> readWorks(
      Transaction transaction, Collection<Folded> folded, Map<DispatchId, Locked> locked) {
    Set<TaskId> tasks = new LinkedHashSet<>();
    for (Folded reports : folded) {
      Locked rows = locked.get(reports.any().dispatch());
      if (rows != null && reports.needsPolicy()) {
        tasks.add(rows.task().id);
      }
    }
    Map<TaskId, Work> works = new HashMap<>();
    if (tasks.isEmpty()) {
      return works;
    }
    return transaction.statement(
        statement -> {
          for (TaskId task : tasks) {
            statement
                .read(tables.task, task)
                .map(row -> row.work)
                .ifPresent(work -> works.put(task, work));
          }
          return works;
        });
  }

  private boolean write(
      Transaction transaction, List<Write> wanted, List<Write.Late> lates, String actor) {
    boolean marked =
        !wanted.isEmpty()
            && transaction.statement(statement -> writes.write(statement, wanted, actor));
    if (!lates.isEmpty()) {
      transaction.<Boolean>statement(
          statement -> {
            writes.annotate(statement, lates);
            return true;
          });
    }
    return marked;
  }

  private static Judged judged(
      List<Write> written, boolean marked, Map<DispatchId, RecoveryKind> losses) {
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    boolean waits = false;
    boolean over = false;
    for (Write write : written) {
      if (write.to().isTerminal()) {
        ended.merge(write.to(), 1, Integer::sum);
      }
      waits |= write.waitMs() != null;
      over |= write.over();
    }
    return new Judged(ended, marked || waits, over, losses);
  }

  /** As PostgreSQL's word for it says: the session was ended from outside. */
  @Override
  public boolean isAway(RuntimeException failure) {
    return failure instanceof Terminated;
  }
}
