package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.Terminate;
import dev.belay.engine.steer.Unblock;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.settings.RequestGroup;
import dev.belay.store.intake.Submission;
import dev.belay.store.read.Task;
import dev.belay.store.read.TaskFilter;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks: submit, read, cancel, terminate, unblock, note. */
final class TaskHandlers {

  private static final Logger log = LoggerFactory.getLogger(TaskHandlers.class);

  private static final int NOTE_CHARS_MAX = 1_000;

  /** It becomes a part of the reason, which is short. */
  private static final int UNBLOCK_NOTE_CHARS_MAX = 400;

  private final RestDependencies parts;
  private final Waiting waiting;
  private final RouteWarnings warnings;

  TaskHandlers(RestDependencies parts, Waiting waiting, RouteWarnings warnings) {
    this.parts = parts;
    this.waiting = waiting;
    this.warnings = warnings;
  }

  HttpResponse submit(Call call) {
    var body = call.jsonBody();
    var submit =
        parts
            .checking()
            .call(
                call,
                body.length,
                () -> Submit.of(call, body, parts.settings().of(RequestGroup.SUBMIT_MAX_TASKS)));
    // Before the commit: a read that fails may only refuse what was not stored.
    var found = warnings.of(submit.routes());
    var topics = submit.topics(warnings.topics());
    return switch (parts.store().tasks().submit(submit.batches(), call.actor())) {
      case Submission.Accepted(var ids, var existing) -> {
        parts.host().metrics().tasks().received(BelayMetrics.Source.SUBMIT, ids.size(), topics);
        var accepted = accepted(submit, ids, existing);
        var answer =
            submit.isBulk()
                ? new LinkedHashMap<String, Object>(Map.of("tasks", accepted))
                : accepted.getFirst();
        if (!found.isEmpty()) {
          answer.put("warnings", found);
        }
        yield Answers.json(
            existing.keySet().containsAll(ids) ? HttpStatus.OK : HttpStatus.CREATED, answer);
      }
      case Submission.UniqueConflict(var held) -> throw uniqueConflict(held);
      case Submission.KeyConflict(var keys) -> throw keyConflict(keys);
      case Submission.Limited(var limit) ->
          throw TenantLimits.refused(limit, parts.host().metrics());
    };
  }

  HttpResponse list(Call call) {
    var filter =
        new TaskFilter(
            call.tenant(),
            call.words("state", TaskState.class),
            call.idOrNull("run"),
            call.text("name"),
            call.text("pool"),
            call.idOrNull("worker"),
            call.timeOrNull("changed_after"));
    return Answers.page(
        parts
            .store()
            .reads()
            .tasks(filter, call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse find(Call call) {
    var id = call.id("task");
    var reads = parts.store().reads();
    waiting.until(
        call,
        call.wait(parts.settings().of(RequestGroup.WAIT_MAX)),
        () -> reads.taskState(id),
        state -> state.isEmpty() || state.get().isTerminal());
    call.needs(Memory.COPIES * reads.taskBytes(id));
    var task = reads.task(id).orElseThrow(() -> missing(id));
    return Answers.ok(detail(task, Waits.of(task.task(), parts.store().waits())));
  }

  HttpResponse attempts(Call call) {
    return Answers.items(parts.store().reads().attempts(existing(call)));
  }

  HttpResponse history(Call call) {
    return Answers.items(parts.store().reads().history(existing(call)));
  }

  HttpResponse cancel(Call call) {
    var id = call.id("task");
    return Terminations.answerCancel(
        id, parts.store().steering().cancelTask(new TaskId(id), call.actor()));
  }

  HttpResponse terminate(Call call) {
    var id = call.id("task");
    var asked = Terminations.request(call);
    var answer =
        parts
            .store()
            .steering()
            .terminateTask(new TaskId(id), asked.reason(), asked.note(), call.actor());
    if (answer instanceof Terminate.NotFound) {
      throw missing(id);
    }
    return Terminations.answer(id, asked.reason(), answer);
  }

  HttpResponse unblock(Call call) {
    var id = call.id("task");
    var note = call.jsonBody().length == 0 ? "" : unblockNote(call);
    return switch (parts.store().steering().unblockTask(new TaskId(id), note, call.actor())) {
      case Unblock.Done _ ->
          Answers.json(HttpStatus.ACCEPTED, Map.of("id", id, "answer", "unblocked"));
      case Unblock.Refused(var state) ->
          throw new Refused(
              HttpStatus.CONFLICT,
              "The task "
                  + id
                  + " is "
                  + state
                  + ". Only a BLOCKED task can be unblocked; perhaps somebody else has done it.");
      case Unblock.NotFound _ -> throw missing(id);
    };
  }

  private static String unblockNote(Call call) {
    var problems = new Problems("");
    var note = "";
    for (var entry : JsonText.body(call.jsonBody(), problems).entries()) {
      if (entry.name().equals("note")
          && entry.value().value() instanceof String text
          && text.length() <= UNBLOCK_NOTE_CHARS_MAX) {
        note = text.strip();
      } else {
        problems.add(
            entry.at(),
            "must be the only field: a text of at most " + UNBLOCK_NOTE_CHARS_MAX + " characters");
      }
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The note is not valid; nothing was unblocked.");
    }
    return note;
  }

  /** An empty note removes the stored one. */
  HttpResponse note(Call call) {
    var id = call.id("task");
    var problems = new Problems("");
    var text = "";
    var entries = JsonText.body(call.jsonBody(), problems).entries();
    if (entries.size() == 1
        && entries.getFirst().name().equals("note")
        && entries.getFirst().value().value() instanceof String note
        && note.length() <= NOTE_CHARS_MAX) {
      text = note.strip();
    } else {
      problems.add(
          new FieldPath(FieldPath.ROOT, "note", 0, 0),
          "must be the only field: a text of at most " + NOTE_CHARS_MAX + " characters");
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The note is not valid; nothing was stored.");
    }
    if (!parts.store().tasks().note(id, text.isEmpty() ? null : text, call.actor())) {
      throw missing(id);
    }
    log.atInfo().addKeyValue("task", id).addKeyValue("actor", call.actor()).log("task noted");
    return Answers.ok(Map.of("id", id, "note", text));
  }

  static Refused keyConflict(List<String> keys) {
    return new Refused(
        Problem.of(
                HttpStatus.CONFLICT,
                "An idempotency key was used before for another request; nothing was stored."
                    + " Use a new key for a new request.")
            .withErrors(
                keys.stream()
                    .map(key -> Problem.fault("idempotency_key", "used before: " + key))
                    .toList()));
  }

  private static Refused uniqueConflict(List<Submission.Held> held) {
    return new Refused(
        Problem.of(
                HttpStatus.CONFLICT,
                "Another task holds a unique key of this submit; nothing was stored. Wait until it"
                    + " gives the key up, or say on_conflict: existing or replace.")
            .ofType("unique-conflict")
            .withErrors(held.stream().map(TaskHandlers::heldBy).toList()));
  }

  private static Map<String, Object> heldBy(Submission.Held held) {
    var task = held.task();
    if (task == null) {
      return Problem.fault("unique.key", "'%s' is in this submit twice".formatted(held.key()));
    }
    var state = held.state();
    var fault =
        Problem.fault(
            "unique.key",
            "'%s' is held by the task %s, which %s"
                .formatted(held.key(), task, state == null ? "was removed" : "is " + state));
    fault.put("task", task);
    return fault;
  }

  private UUID existing(Call call) {
    var id = call.id("task");
    if (parts.store().reads().taskState(id).isEmpty()) {
      throw missing(id);
    }
    return id;
  }

  /** The same for every call with the same key: it shows the state at acceptance. */
  private static List<Map<String, Object>> accepted(
      Submit submit, List<UUID> ids, Map<UUID, TaskState> existing) {
    var tasks = submit.batches().stream().flatMap(batch -> batch.tasks().stream()).toList();
    var answers = new ArrayList<Map<String, Object>>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      var answer = new LinkedHashMap<String, Object>();
      answer.put("id", ids.get(i));
      var held = existing.get(ids.get(i));
      answer.put(
          "state",
          held != null
              ? held
              : Admission.submit(tasks.get(i).timer(), tasks.get(i).onlyWaits()).state());
      if (held != null) {
        answer.put("existing", true);
      }
      answers.add(answer);
    }
    return answers;
  }

  private static Object detail(
      Task.Detail detail, @Nullable Map<String, @Nullable Object> waiting) {
    return JsonText.object(detail.task())
        .putPOJO("waiting", waiting)
        .put("note", detail.note())
        .putPOJO("dead_letter", detail.deadLetter())
        .putPOJO("retry_of", detail.retryOf())
        .putRawValue("labels", JsonText.raw(detail.labels()))
        .putRawValue("work", JsonText.raw(detail.work()));
  }

  private Refused missing(UUID id) {
    return Missing.task(parts.store().reads(), id);
  }
}
