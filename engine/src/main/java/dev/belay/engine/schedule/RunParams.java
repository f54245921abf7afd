package dev.belay.engine.schedule;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the parameters of runs that Belay starts by itself. Defaults may be expressions of
 * users, which take time: never call it in a transaction. Thread-safe.
 */
public interface RunParams {

  /**
   * @param version of the workflow
   * @param given values that take the place of defaults
   */
  record Request(WorkflowId version, Map<String, ? extends @Nullable Object> given, Facts facts) {}

  /** What defaults may use, as {@code run.*}. */
  record Facts(RunId run, String tenant, String workflow, Instant logicalDate, Instant createdAt) {}

  sealed interface Answer {
    /**
     * @param json an object: the given values in their types, and the defaults
     */
    record Resolved(String json) implements Answer {}

    /** The values do not fit the workflow, or a default cannot be computed. */
    record Refused(String why) implements Answer {}

    /** There is no room or no time for it now. Ask again later. */
    record Busy() implements Answer {}
  }

  /**
   * Answers in the order of the requests. Takes a bounded time.
   *
   * @throws RuntimeException when the store cannot be read
   */
  List<Answer> resolve(List<Request> requests);

  default Answer resolve(Request request) {
    return resolve(List.of(request)).getFirst();
  }
}
