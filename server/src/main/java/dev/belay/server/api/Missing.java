package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import dev.belay.store.read.Reads;
import java.util.UUID;

/** Refusals of ids that name nothing, or something of another kind. */
final class Missing {

  private Missing() {}

  static Refused task(Reads reads, UUID id) {
    return refused("task", id, reads.runState(id).isPresent() ? ": this is the id of a run." : ".");
  }

  static Refused run(Reads reads, UUID id) {
    return refused(
        "run", id, reads.taskState(id).isPresent() ? ": this is the id of a task." : ".");
  }

  private static Refused refused(String what, UUID id, String why) {
    return new Refused(HttpStatus.NOT_FOUND, "There is no " + what + " " + id + why);
  }
}
