package dev.belay.benchmarks.scenario;

/**
 * The caller's options.
 *
 * @param tasks in each repeat; 0 for the scenario's default
 * @param peers whether to measure the peers too
 * @param limit whether to measure plain writes too
 * @param finished tasks of the past, for the scenario history
 * @param waiting tasks that wait for a worker meanwhile, for the scenario memory
 * @param minutes of steady load after the throughput; 0 for none
 * @param share of the top speed, for the steady load
 */
public record Wanted(
    int tasks,
    int repeats,
    boolean peers,
    boolean limit,
    int finished,
    int waiting,
    int minutes,
    double share) {

  int tasksOr(int usual) {
    return tasks > 0 ? tasks : usual;
  }
}
