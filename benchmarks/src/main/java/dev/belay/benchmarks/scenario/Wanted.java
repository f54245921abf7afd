package dev.belay.benchmarks.scenario;

/**
 * The caller's options.
 *
 * @param tasks in each repeat; 0 for the scenario's default
 * @param peers whether to measure the peers too
 * @param limit whether to measure plain writes too
 * @param finished tasks of the past, for the scenario history
 */
public record Wanted(int tasks, int repeats, boolean peers, boolean limit, int finished) {

  int tasksOr(int usual) {
    return tasks > 0 ? tasks : usual;
  }
}
