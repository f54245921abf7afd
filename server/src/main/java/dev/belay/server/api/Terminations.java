package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.settle.AbortReason;
import dev.belay.engine.steer.Terminate;
import dev.belay.workflow.Problems;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Requests to end a task for a reason, and the answers. */
final class Terminations {

  /** It becomes a part of the reason, which is short. */
  static final int NOTE_CHARS_MAX = 400;

  private static final String REASONS =
      Arrays.stream(AbortReason.values())
          .filter(AbortReason::isForPeople)
          .map(AbortReason::word)
          .collect(Collectors.joining(", "));

  private Terminations() {}

  record Request(AbortReason reason, String note) {}

  /** Without a body, it cancels. */
  static Request request(Call call) {
    var problems = new Problems("");
    var reason = AbortReason.CANCELLED;
    var note = "";
    if (call.jsonBody().length > 0) {
      for (var entry : JsonText.body(call.jsonBody(), problems).entries()) {
        var text = entry.value().value() instanceof String given ? given.strip() : null;
        if (entry.name().equals("reason")) {
          var known =
              AbortReason.of(text == null ? "" : text)
                  .filter(AbortReason::isForPeople)
                  .orElse(null);
          if (known == null) {
            problems.add(entry.at(), "must be one of " + REASONS);
          } else {
            reason = known;
          }
        } else if (entry.name().equals("note")) {
          if (text == null || text.length() > NOTE_CHARS_MAX) {
            problems.add(entry.at(), "must be a text of at most " + NOTE_CHARS_MAX + " characters");
          } else {
            note = text;
          }
        } else {
          problems.add(entry.at(), "is not a field of this call: it takes reason and note");
        }
      }
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The request is not valid; nothing was ended.");
    }
    return new Request(reason, note);
  }

  static HttpResponse answer(UUID id, AbortReason reason, Terminate answer) {
    return switch (answer) {
      case Terminate.Done(var state) ->
          accepted(id, "done", Map.of("state", state, "reason", reason.word()));
      case Terminate.Asked(var dispatch) ->
          accepted(id, "asked", Map.of("reason", reason.word(), "dispatch", dispatch.value()));
      case Terminate.AlreadyAsked asked when asked.reason() == reason ->
          accepted(
              id,
              "already_asked",
              Map.of("reason", reason.word(), "dispatch", asked.dispatch().value()));
      case Terminate.AlreadyAsked _,
          Terminate.NothingToDo _,
          Terminate.AlreadyOver _,
          Terminate.NotFound _ ->
          throw refused(id, reason, answer);
    };
  }

  /** A cancel is a termination of its own name, with shorter answers. */
  static HttpResponse answerCancel(UUID id, Terminate answer) {
    return switch (answer) {
      case Terminate.Done _ -> accepted(id, "cancelled", Map.of());
      case Terminate.Asked _ -> accepted(id, "cancelling", Map.of());
      case Terminate.AlreadyAsked asked when asked.reason() == AbortReason.CANCELLED ->
          accepted(id, "cancelling", Map.of());
      case Terminate.AlreadyAsked _,
          Terminate.NothingToDo _,
          Terminate.AlreadyOver _,
          Terminate.NotFound _ ->
          throw refused(id, AbortReason.CANCELLED, answer);
    };
  }

  private static HttpResponse accepted(UUID id, String word, Map<String, Object> more) {
    var body = new LinkedHashMap<String, Object>();
    body.put("id", id);
    body.put("answer", word);
    body.putAll(more);
    return Answers.json(HttpStatus.ACCEPTED, body);
  }

  private static Refused refused(UUID id, AbortReason reason, Terminate answer) {
    return switch (answer) {
      case Terminate.AlreadyAsked asked -> conflict(alreadyAsked(id, asked));
      case Terminate.NothingToDo(var state) ->
          conflict(
              "The task %s is %s: no worker holds it, so there is nothing to end for %s."
                  .formatted(id, state, reason.word()));
      case Terminate.AlreadyOver(var state) ->
          conflict("The task %s is over: %s. There is nothing to end.".formatted(id, state));
      case Terminate.NotFound _, Terminate.Done _, Terminate.Asked _ ->
          new Refused(Problem.notFound("task", id));
    };
  }

  private static String alreadyAsked(UUID id, Terminate.AlreadyAsked asked) {
    var by = asked.by() == null ? "" : " by " + asked.by();
    var at = asked.at() == null ? "" : " at " + asked.at();
    return ("The task %s was already asked to end%s%s: %s. The first reason stands, so it becomes"
            + " %s unless it succeeds; ask again then.")
        .formatted(id, by, at, asked.reason().word(), asked.reason().leadsTo());
  }

  private static Refused conflict(String detail) {
    return new Refused(HttpStatus.CONFLICT, detail);
  }
}
