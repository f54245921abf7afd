package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.engine.deadletter.LetterRetry.Answer;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.settings.RequestGroup;
import dev.belay.store.read.DeadLetter;
import dev.belay.workflow.Durations;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dead letters: list, group, show, retry, purge. */
final class DeadLetterHandlers {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterHandlers.class);

  /** One call removes at most so many, in one short transaction; callers repeat it. */
  private static final int PURGED_MAX = 10_000;

  private final RestDependencies parts;

  DeadLetterHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  HttpResponse list(Call call) {
    return Answers.page(
        parts
            .store()
            .reads()
            .deadLetters(
                filter(call, call.text("open") == null ? null : call.flag("open")),
                call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse groups(Call call) {
    return Answers.items(
        parts
            .store()
            .reads()
            .deadLetterGroups(
                filter(call, null), call.limit(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  private static DeadLetter.Filter filter(Call call, @Nullable Boolean open) {
    return new DeadLetter.Filter(
        call.tenant(),
        reason(call),
        call.text("topic"),
        call.text("workflow"),
        call.text("fingerprint"),
        call.timeOrNull("since"),
        open);
  }

  private static @Nullable String reason(Call call) {
    var reason = call.text("reason");
    if (reason != null && DeadLetterReason.of(reason).isEmpty()) {
      throw Call.bad(
          "reason",
          reason,
          "one of "
              + Arrays.stream(DeadLetterReason.values())
                  .map(DeadLetterReason::word)
                  .collect(Collectors.joining(", ")));
    }
    return reason;
  }

  HttpResponse find(Call call) {
    var id = call.id("dead letter");
    var reads = parts.store().reads();
    call.needs(Memory.COPIES * reads.deadLetterBytes(id));
    var found = reads.deadLetter(id).orElseThrow(() -> missing(id));
    return Answers.ok(
        JsonText.object(found.letter()).putRawValue("request", JsonText.raw(found.request())));
  }

  HttpResponse retry(Call call) {
    var id = call.id("dead letter");
    return switch (parts.store().deadLetters().retry().retry(new DeadLetterId(id), call.actor())) {
      case Answer.Submitted(var task) -> {
        parts.host().metrics().tasks().received(BelayMetrics.Source.SUBMIT, 1, Map.of());
        log.atInfo().addKeyValue("dead_letter", id).addKeyValue("task", task).log("retried");
        yield Answers.json(HttpStatus.CREATED, retried(id, "submitted", task.value(), null));
      }
      case Answer.Reopened(var task, var run) -> {
        log.atInfo().addKeyValue("dead_letter", id).addKeyValue("task", task).log("retried");
        yield Answers.json(HttpStatus.ACCEPTED, retried(id, "reopened", task.value(), run.value()));
      }
      case Answer.Already(var before) ->
          throw new Refused(
              HttpStatus.CONFLICT,
              "The dead letter "
                  + id
                  + " was retried as the task "
                  + before.as()
                  + " by "
                  + before.by()
                  + " at "
                  + before.at()
                  + ". Nothing was submitted now.");
      case Answer.Refused(var why) -> throw new Refused(HttpStatus.CONFLICT, why);
      case Answer.NotFound _ -> throw missing(id);
    };
  }

  private static Map<String, @Nullable Object> retried(
      UUID letter, String answer, UUID task, @Nullable UUID run) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", letter);
    json.put("answer", answer);
    json.put("task", task);
    json.put("run", run);
    return json;
  }

  private static Refused missing(UUID id) {
    return new Refused(Problem.notFound("dead letter", id));
  }

  /** What a purge removes, and whether it only counts. */
  private record Purge(Duration olderThan, boolean dryRun) {}

  HttpResponse purge(Call call) {
    var purge = purgeBody(call);
    var old = parts.store().deadLetters().old();
    var json = new LinkedHashMap<String, Object>();
    if (purge.dryRun()) {
      var counted = old.count(purge.olderThan());
      json.put("would_remove", counted.letters());
      json.put("open", counted.open());
      return Answers.ok(json);
    }
    var removed = old.remove(purge.olderThan(), PURGED_MAX);
    log.atInfo()
        .addKeyValue("actor", call.actor())
        .addKeyValue("removed", removed.letters())
        .log("dead letters purged");
    json.put("removed", removed.letters());
    json.put("open", removed.open());
    json.put("more", removed.letters() == PURGED_MAX);
    return Answers.ok(json);
  }

  private static Purge purgeBody(Call call) {
    var problems = new Problems("");
    Duration olderThan = null;
    boolean dryRun = false;
    for (var entry : JsonText.body(call.jsonBody(), problems).entries()) {
      var value = entry.value().value();
      if (entry.name().equals("older_than")
          && value instanceof String text
          && Durations.parse(text).isPresent()) {
        olderThan = Durations.parse(text).get();
      } else if (entry.name().equals("dry_run") && value instanceof Boolean given) {
        dryRun = given;
      } else {
        problems.add(
            entry.at(), "the fields are older_than, such as 30d, and dry_run, true or false");
      }
    }
    if (olderThan == null && problems.isEmpty()) {
      problems.add(
          new FieldPath(FieldPath.ROOT, "older_than", 0, 0), "must be a duration, such as 30d");
    }
    if (olderThan == null || !problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The request is not valid; nothing was removed.");
    }
    return new Purge(olderThan, dryRun);
  }
}
