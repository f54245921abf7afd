package dev.belay.benchmarks.lab;

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

  @Override
  void close();
}
