package dev.belay.domain.routing;

/** The worker for a task, or why there is none. */
public sealed interface Choice {

  /**
   * @param pool in which the task counts
   */
  record Chosen(Worker worker, String pool) implements Choice {}

  /**
   * @param usesTries nothing that is known could ever run the task, so it is given up after a
   *     while; otherwise it waits
   */
  record Refused(Refusal reason, boolean usesTries) implements Choice {}
}
