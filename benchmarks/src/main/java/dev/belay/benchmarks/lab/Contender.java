package dev.belay.benchmarks.lab;

import java.io.IOException;
import java.util.Map;

/** A system that runs no-op tasks from submit to end. */
public interface Contender extends AutoCloseable {

  String name();

  /** How many of the tasks this system gets: a slow one gets fewer, to keep its run short. */
  int share(int tasks);

  /**
   * Submits this many tasks and waits until the database also shows them as done.
   *
   * @return from the first submit to the last end, in seconds
   */
  double run(int tasks) throws Exception;

  /** Its processes by name, with their pids; the database's are not among them. */
  Map<String, Long> processes();

  /** More figures about all that it has done so far. */
  default Map<String, Object> figures() throws IOException, InterruptedException {
    return Map.of();
  }

  @Override
  void close();
}
