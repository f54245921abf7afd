package dev.belay.store.result;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.Tries;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.Change;
import dev.belay.engine.statement.Change.AttemptEnd;
import dev.belay.engine.statement.ResultStatements;
import dev.belay.store.Aborts;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statements of resources/sql/result. */
public record ResultSql(Handle handle) implements ResultStatements {

  private static final Logger log = LoggerFactory.getLogger(ResultSql.class);

  @Override
  public void noteLostOutput(List<LostOutput> lost) {
    var update = handle.createUpdate(Sql.named("result/note_output_lost"));
    Unnest.bind(update, "tasks", UUID.class, lost, one -> one.attempt().task().value());
    Unnest.bind(update, "dispatches", UUID.class, lost, one -> one.attempt().dispatch().value());
    Unnest.bind(update, "workers", UUID.class, lost, one -> one.worker().value());
    Unnest.bind(update, "bytes", Long.class, lost, LostOutput::bytes);
    update.execute();
  }

  @Override
  public UsualWritten writeUsual(List<Usual> usual) {
    var query = handle.createQuery(Sql.named("result/write_usual"));
    Unnest.bind(
        query, "task_ids", UUID.class, usual, one -> one.speaker().attempt().task().value());
    Unnest.bind(
        query,
        "dispatch_ids",
        UUID.class,
        usual,
        one -> one.speaker().attempt().dispatch().value());
    Unnest.bind(query, "worker_ids", UUID.class, usual, one -> one.speaker().worker().value());
    Unnest.bind(query, "session_ids", UUID.class, usual, one -> one.speaker().session().value());
    Unnest.bind(query, "after_starts", Boolean.class, usual, Usual::afterStart);
    Unnest.bind(query, "overs", Boolean.class, usual, Usual::over);
    Unnest.bind(query, "started_ms", Long.class, usual, one -> one.times().startedMs());
    Unnest.bind(query, "ended_ms", Long.class, usual, one -> one.times().endedMs());
    Unnest.bind(query, "details", String.class, usual, Usual::detail);
    BitSet positions = new BitSet(usual.size());
    List<String> topics = new ArrayList<>();
    List<Boolean> marked =
        query
            .map(
                (row, context) -> {
                  positions.set(row.getInt("position") - 1);
                  Optional.ofNullable(row.getString("topic")).ifPresent(topics::add);
                  return row.getBoolean("marked");
                })
            .list();
    return new UsualWritten(positions, marked.contains(true), topics);
  }

  @Override
  public Map<AttemptKey, LockedTask> lock(Collection<AttemptKey> attempts) {
    Map<AttemptKey, LockedTask> locked = new HashMap<>();
    Unnest.keys(handle.createQuery(Sql.named("result/lock_tasks")), attempts)
        .map(
            (row, context) ->
                Map.entry(
                    new AttemptKey(
                        new TaskId(row.getObject("id", UUID.class)),
                        new DispatchId(row.getObject("dispatch_id", UUID.class))),
                    new LockedTask(
                        new TaskId(row.getObject("id", UUID.class)),
                        TaskState.valueOf(row.getString("state")),
                        orNull(row.getObject("worker_id", UUID.class), WorkerId::new),
                        orNull(row.getObject("session_id", UUID.class), SessionId::new),
                        row.getBoolean("is_current"),
                        row.getBoolean("attempt_ended"),
                        Aborts.read(row),
                        new Tries(
                            row.getInt("attempt"),
                            row.getInt("error_count"),
                            row.getInt("lost_count"),
                            row.getInt("crash_count"),
                            row.getInt("unavailable_count"),
                            row.getInt("dispatch_failed_count")),
                        row.getString("topic"))))
        .forEach(entry -> locked.put(entry.getKey(), entry.getValue()));
    return locked;
  }

  private static <T> @Nullable T orNull(@Nullable UUID id, Function<UUID, T> typed) {
    return id == null ? null : typed.apply(id);
  }

  @Override
  public Map<TaskId, Work> readWorks(Collection<TaskId> tasks) {
    Map<TaskId, Work> works = new HashMap<>();
    handle
        .createQuery(Sql.named("result/read_works"))
        .bindArray("tasks", UUID.class, tasks.stream().map(TaskId::value).toList())
        .map(
            (row, context) ->
                Map.entry(new TaskId(row.getObject("task_id", UUID.class)), row.getString("work")))
        .forEach(entry -> read(entry.getKey(), entry.getValue(), works));
    return works;
  }

  /** A task with unreadable work gets the default policy; the other tasks are unaffected. */
  private static void read(TaskId task, String json, Map<TaskId, Work> works) {
    try {
      works.put(task, SpecCodec.workFromJson(json));
    } catch (RuntimeException unreadable) {
      log.atError().addKeyValue("task", task).setCause(unreadable).log("work cannot be read");
    }
  }

  @Override
  public Changed change(List<Change> changes, String actor) {
    var query = handle.createQuery(Sql.named("result/write_results")).bind("actor", actor);
    Unnest.bind(query, "task_ids", UUID.class, changes, one -> one.guard().task().value());
    Unnest.bind(query, "dispatch_ids", UUID.class, changes, one -> one.guard().dispatch().value());
    Unnest.bind(query, "session_ids", UUID.class, changes, one -> one.guard().session().value());
    Unnest.bind(query, "from_states", String.class, changes, one -> one.guard().from().name());
    Unnest.bind(query, "to_states", String.class, changes, one -> one.to().name());
    Unnest.bind(query, "terminals", Boolean.class, changes, one -> one.to().isTerminal());
    Unnest.bind(query, "overs", Boolean.class, changes, Change::isOver);
    Unnest.bind(query, "via_runnings", Boolean.class, changes, Change::isViaRunning);
    Unnest.bind(query, "started_ms", Long.class, changes, one -> one.times().startedMs());
    Unnest.bind(query, "ended_ms", Long.class, changes, one -> one.times().endedMs());
    Unnest.bind(query, "reasons", String.class, changes, Change::reason);
    Unnest.bind(query, "wait_ms", Long.class, changes, one -> millis(one, AttemptEnd::delay));
    Unnest.bind(query, "error_mores", Integer.class, changes, one -> one.counts(Category.ERROR));
    Unnest.bind(query, "lost_mores", Integer.class, changes, one -> one.counts(Category.LOST));
    Unnest.bind(query, "crash_mores", Integer.class, changes, one -> one.counts(Category.CRASH));
    Unnest.bind(
        query,
        "unavailable_mores",
        Integer.class,
        changes,
        one -> one.counts(Category.UNAVAILABLE));
    Unnest.bind(
        query,
        "dispatch_failed_mores",
        Integer.class,
        changes,
        one -> one.counts(Category.DISPATCH));
    Unnest.bind(
        query, "may_run_on_ms", Long.class, changes, one -> millis(one, AttemptEnd::mayRunOn));
    Unnest.bind(query, "exit_codes", Integer.class, changes, one -> one.exit().code());
    Unnest.bind(query, "signals", Integer.class, changes, one -> one.exit().signal());
    Unnest.bind(query, "details", String.class, changes, one -> one.exit().detail());
    Unnest.bind(query, "asked_bys", String.class, changes, Change::askedBy);
    List<Boolean> marks = query.map((row, context) -> row.getBoolean("marked")).list();
    return new Changed(marks.size(), marks.contains(true));
  }

  private static @Nullable Long millis(
      Change change, Function<AttemptEnd, @Nullable Duration> part) {
    AttemptEnd end = change.end();
    Duration length = end == null ? null : part.apply(end);
    return length == null ? null : Long.valueOf(length.toMillis());
  }

  @Override
  public void annotate(List<Late> late) {
    var update = handle.createUpdate(Sql.named("result/annotate_attempts"));
    Unnest.bind(update, "tasks", UUID.class, late, one -> one.attempt().task().value());
    Unnest.bind(update, "dispatches", UUID.class, late, one -> one.attempt().dispatch().value());
    Unnest.bind(update, "outcomes", String.class, late, Late::outcome);
    update.execute();
  }
}
