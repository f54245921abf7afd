package dev.belay.store.result;

import static java.util.stream.Collectors.toSet;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.Judge;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ResultStore;
import dev.belay.engine.result.Decision;
import dev.belay.engine.result.Folded;
import dev.belay.engine.result.LockedTask;
import dev.belay.engine.result.Write;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.Arrays;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.recovery.Recoveries;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results on PostgreSQL. A batch is folded by dispatch and speaker first: an UPDATE that names a
 * row twice would keep an arbitrary one. The usual reports are written by one statement, which is
 * its own transaction; what is left is locked in the order of the ids, judged, and written in
 * another. If the second fails, the first is written all the same, and its repetition a duplicate.
 */
public final class PostgresResults implements ResultStore {

  private static final Logger log = LoggerFactory.getLogger(PostgresResults.class);
  private static final String ACTOR = "worker";

  private final Jdbi jdbi;
  private final Judge judge;
  private final Function<String, Work> decodeWork;
  private final Promises promises;
  private final Meters meters;

  public PostgresResults(Jdbi jdbi, Judge judge, Function<String, Work> decodeWork) {
    this(jdbi, judge, decodeWork, Promises.DEFAULT, Meters.NONE);
  }

  /**
   * @param promises how soon a loss that a worker's words tell is to be written
   */
  public PostgresResults(
      Jdbi jdbi, Judge judge, Function<String, Work> decodeWork, Promises promises, Meters meters) {
    this.jdbi = jdbi;
    this.judge = judge;
    this.decodeWork = decodeWork;
    this.promises = promises;
    this.meters = meters;
  }

  @Override
  public Outcome apply(List<WorkerEvent> events) {
    Map<Speaker, Folded> folded = fold(events);
    return jdbi.withHandle(handle -> apply(handle, events, folded));
  }

  private static Map<Speaker, Folded> fold(List<? extends WorkerEvent> events) {
    Map<Speaker, Folded> folded = new LinkedHashMap<>();
    for (WorkerEvent event : events) {
      folded.computeIfAbsent(Speaker.of(event), speaker -> new Folded()).add(event);
    }
    return folded;
  }

  /**
   * Ends attempts in the caller's transaction, on the word of another than their worker. What is
   * over meanwhile, or not the task's current attempt, is left alone.
   */
  public Given giveUp(Handle handle, List<WorkerEvent.Lost> lost, String actor) {
    IdentityHashMap<WorkerEvent, Answer> answers = new IdentityHashMap<>();
    Judged judged = judge(handle, fold(lost), answers, actor);
    List<WorkerEvent.Lost> applied =
        lost.stream().filter(event -> answers.get(event) == Answer.APPLIED).toList();
    return new Given(applied, judged.ended(), judged.planSoon());
  }

  /**
   * @param applied those that ended an attempt
   * @param ended how many tasks reached a terminal state, by state
   * @param planSoon a run was marked, or a task waits for a time
   */
  public record Given(
      List<WorkerEvent.Lost> applied, Map<TaskState, Integer> ended, boolean planSoon) {}

  /** Who speaks of which dispatch. At most one of those who speak of it is bound to it. */
  private record Speaker(UUID dispatch, WorkerId worker, SessionId session) {
    static Speaker of(WorkerEvent event) {
      return new Speaker(event.dispatch().value(), event.worker(), event.session());
    }
  }

  private Outcome apply(Handle handle, List<WorkerEvent> events, Map<Speaker, Folded> folded) {
    IdentityHashMap<WorkerEvent, Answer> answers = new IdentityHashMap<>();
    Retry.on(Set.of(Retry.DEADLOCK), () -> noteOutputLost(handle, events));
    Usual.Written usual =
        Retry.on(Set.of(Retry.DEADLOCK), () -> Usual.write(handle, ACTOR, folded.values()));
    Map<Speaker, Folded> rest = new LinkedHashMap<>();
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    for (Map.Entry<Speaker, Folded> entry : folded.entrySet()) {
      Folded reports = entry.getValue();
      if (usual.has(reports)) {
        reports.events().forEach(event -> answers.put(event, Answer.APPLIED));
        if (reports.end().isPresent()) {
          ended.merge(TaskState.SUCCEEDED, 1, Integer::sum);
        }
      } else {
        rest.put(entry.getKey(), reports);
      }
    }
    List<Recovered> recovered = new ArrayList<>();
    Judged judged =
        rest.isEmpty()
            ? Judged.NOTHING
            : Retry.on(
                Set.of(Retry.DEADLOCK),
                () -> handle.inTransaction(locking -> judge(locking, rest, answers, recovered)));
    recovered.forEach(one -> meters.recovered(one.kind(), one.sinceLastSign()));
    boolean usualEnded = !ended.isEmpty();
    judged.ended().forEach((state, tasks) -> ended.merge(state, tasks, Integer::sum));
    List<Settlement> settlements =
        events.stream()
            .map(event -> new Settlement(event, answers.getOrDefault(event, Answer.VOID)))
            .toList();
    return new Outcome(
        settlements, ended, usual.marked() || judged.planSoon(), usualEnded || judged.over());
  }

  /** Before the outcome: a repetition of the batch writes the same again. */
  private static int noteOutputLost(Handle handle, List<WorkerEvent> events) {
    List<WorkerEvent.Finished> lost =
        events.stream()
            .filter(WorkerEvent.Finished.class::isInstance)
            .map(WorkerEvent.Finished.class::cast)
            .filter(finished -> finished.message().getOutputLostBytes() > 0)
            .toList();
    if (lost.isEmpty()) {
      return 0;
    }
    var update = handle.createUpdate(Sql.named("result/note_output_lost"));
    Arrays.bind(update, "dispatches", UUID.class, lost, event -> event.dispatch().value());
    Arrays.bind(update, "workers", UUID.class, lost, event -> event.worker().value());
    Arrays.bind(update, "bytes", Long.class, lost, event -> event.message().getOutputLostBytes());
    return update.execute();
  }

  /**
   * @param planSoon a run was marked, or a task waits for a time
   * @param over an attempt ended
   * @param losses that workers told of, by dispatch
   */
  private record Judged(
      Map<TaskState, Integer> ended,
      boolean planSoon,
      boolean over,
      Map<UUID, RecoveryKind> losses) {
    static final Judged NOTHING = new Judged(Map.of(), false, false, Map.of());
  }

  /** On the word of workers, whose losses are recoveries. */
  private Judged judge(
      Handle handle,
      Map<Speaker, Folded> folded,
      IdentityHashMap<WorkerEvent, Answer> answers,
      List<Recovered> recovered) {
    Judged judged = judge(handle, folded, answers, ACTOR);
    recovered.clear();
    recovered.addAll(Recoveries.recordLosses(handle, judged.losses(), promises));
    return judged;
  }

  private Judged judge(
      Handle handle,
      Map<Speaker, Folded> folded,
      IdentityHashMap<WorkerEvent, Answer> answers,
      String actor) {
    Set<UUID> dispatches = folded.keySet().stream().map(Speaker::dispatch).collect(toSet());
    Map<UUID, LockedTask> locked = Locking.lock(handle, dispatches);
    Map<UUID, Work> works = readWorks(handle, folded, locked);
    List<Write> writes = new ArrayList<>();
    List<Write.Late> lates = new ArrayList<>();
    Map<UUID, RecoveryKind> losses = new HashMap<>();
    folded.forEach(
        (speaker, reports) -> {
          LockedTask task = locked.get(speaker.dispatch());
          var decision =
              Decision.of(reports, task, task == null ? null : works.get(task.id()), judge);
          decision.write().ifPresent(writes::add);
          decision.late().ifPresent(lates::add);
          if (decision.answer() == Answer.APPLIED) {
            reports.loss().ifPresent(kind -> losses.put(speaker.dispatch(), kind));
          }
          reports.events().forEach(event -> answers.put(event, decision.answer()));
        });
    boolean marked = write(handle, writes, actor);
    annotate(handle, lates);
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    writes.stream()
        .map(Write::to)
        .filter(TaskState::isTerminal)
        .forEach(state -> ended.merge(state, 1, Integer::sum));
    boolean waits = writes.stream().anyMatch(write -> write.waitMs() != null);
    boolean over = writes.stream().anyMatch(Write::over);
    return new Judged(ended, marked || waits, over, losses);
  }

  /** The policy is needed only where an attempt ended without success. */
  private Map<UUID, Work> readWorks(
      Handle handle, Map<Speaker, Folded> folded, Map<UUID, LockedTask> locked) {
    List<UUID> tasks = new ArrayList<>();
    folded.forEach(
        (speaker, reports) -> {
          LockedTask task = locked.get(speaker.dispatch());
          if (task != null && reports.needsPolicy()) {
            tasks.add(task.id());
          }
        });
    Map<UUID, Work> works = new HashMap<>();
    if (!tasks.isEmpty()) {
      handle
          .createQuery(Sql.named("result/read_works"))
          .bindArray("tasks", UUID.class, tasks)
          .map(
              (row, context) ->
                  Map.entry(row.getObject("task_id", UUID.class), row.getString("work")))
          .forEach(entry -> read(entry.getKey(), entry.getValue(), works));
    }
    return works;
  }

  /** A task whose work cannot be read is judged by the default policy; the others are not hit. */
  private void read(UUID task, String json, Map<UUID, Work> works) {
    try {
      works.put(task, decodeWork.apply(json));
    } catch (RuntimeException unreadable) {
      log.atError().addKeyValue("task", task).setCause(unreadable).log("work cannot be read");
    }
  }

  private static boolean write(Handle handle, List<Write> writes, String actor) {
    if (writes.isEmpty()) {
      return false;
    }
    var query = handle.createQuery(Sql.named("result/write_results")).bind("actor", actor);
    Arrays.bind(query, "task_ids", UUID.class, writes, Write::task);
    Arrays.bind(query, "dispatch_ids", UUID.class, writes, Write::dispatch);
    Arrays.bind(query, "session_ids", UUID.class, writes, Write::session);
    Arrays.bind(query, "from_states", String.class, writes, write -> write.from().name());
    Arrays.bind(query, "to_states", String.class, writes, write -> write.to().name());
    Arrays.bind(query, "terminals", Boolean.class, writes, write -> write.to().isTerminal());
    Arrays.bind(query, "overs", Boolean.class, writes, Write::over);
    Arrays.bind(query, "via_runnings", Boolean.class, writes, Write::viaRunning);
    Arrays.bind(query, "started_ms", Long.class, writes, Write::startedAtMs);
    Arrays.bind(query, "ended_ms", Long.class, writes, Write::endedAtMs);
    Arrays.bind(query, "reasons", String.class, writes, Write::reason);
    Arrays.bind(query, "wait_ms", Long.class, writes, Write::waitMs);
    Arrays.bind(query, "error_mores", Integer.class, writes, Write::errorMore);
    Arrays.bind(query, "lost_mores", Integer.class, writes, Write::lostMore);
    Arrays.bind(query, "crash_mores", Integer.class, writes, Write::crashMore);
    Arrays.bind(query, "fence_ms", Long.class, writes, Write::fenceMs);
    Arrays.bind(query, "exit_codes", Integer.class, writes, Write::exitCode);
    Arrays.bind(query, "signals", Integer.class, writes, Write::signal);
    Arrays.bind(query, "details", String.class, writes, Write::detail);
    List<Boolean> marks =
        query
            .map((row, context) -> row.getBoolean("terminal") && row.getObject("run_id") != null)
            .list();
    if (marks.size() != writes.size()) {
      // The rows are locked and were judged under that lock: this cannot happen but by a bug.
      throw new IllegalStateException(
          "wrote " + marks.size() + " of " + writes.size() + " results");
    }
    return marks.contains(true);
  }

  private static void annotate(Handle handle, List<Write.Late> lates) {
    if (lates.isEmpty()) {
      return;
    }
    var update = handle.createUpdate(Sql.named("result/annotate_attempts"));
    Arrays.bind(update, "dispatches", UUID.class, lates, Write.Late::dispatch);
    Arrays.bind(update, "outcomes", String.class, lates, Write.Late::outcome);
    update.execute();
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return Retry.isAway(failure);
  }
}
