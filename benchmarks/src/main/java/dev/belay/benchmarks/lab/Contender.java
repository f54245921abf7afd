package dev.belay.benchmarks.lab;

/** A system that can take no-op tasks through their whole lives. */
public interface Contender extends AutoCloseable {

  String name();

  /** How many of the tasks it is given: a slow one gets fewer, so that its run is not endless. */
  int share(int tasks);

  /**
   * Hands in this many tasks and waits until all are done, in the database too.
   *
   * @return from the first one handed in to the last one done, in seconds
   */
  double run(int tasks) throws Exception;
}
