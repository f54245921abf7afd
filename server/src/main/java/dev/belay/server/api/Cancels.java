package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.engine.steer.Cancel;
import java.util.Map;
import java.util.UUID;

/** The answer to a cancel of a run. */
final class Cancels {

  private Cancels() {}

  static HttpResponse answer(UUID id, Cancel cancel) {
    return switch (cancel) {
      case Cancel.Asked _ -> accepted(id, "cancelling");
      case Cancel.AlreadyOver(var state) ->
          throw new Refused(
              HttpStatus.CONFLICT,
              "The run " + id + " is over: " + state + ". There is nothing to cancel.");
      case Cancel.NotFound _ -> throw new Refused(Problem.notFound("run", id));
    };
  }

  private static HttpResponse accepted(UUID id, String what) {
    return Answers.json(HttpStatus.ACCEPTED, Map.of("id", id, "answer", what));
  }
}
