package dev.belay.benchmarks.scenario;

/**
 * What the caller asked for.
 *
 * @param tasks in each repeat; 0 for what the scenario takes by itself
 * @param peers whether the peers are measured, too
 * @param limit whether plain writes are measured, too
 */
public record Wanted(int tasks, int repeats, boolean peers, boolean limit) {

  int tasksOr(int usual) {
    return tasks > 0 ? tasks : usual;
  }
}
