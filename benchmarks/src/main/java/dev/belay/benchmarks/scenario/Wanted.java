package dev.belay.benchmarks.scenario;

/**
 * What the caller asked for.
 *
 * @param tasks in each repeat; 0 for what the scenario takes by itself
 * @param peers whether the peers are measured, too
 * @param limit whether plain writes are measured, too
 * @param finished tasks of the past, for the scenario history
 */
public record Wanted(int tasks, int repeats, boolean peers, boolean limit, int finished) {

  int tasksOr(int usual) {
    return tasks > 0 ? tasks : usual;
  }
}
