package dev.belay.benchmarks.peer;

import java.util.List;

/** A job scheduler that runs no-op jobs at the times of cron expressions. */
interface CronPeer {

  /** Hears of each run. Thread-safe. */
  interface Listener {
    /**
     * @param planned when it should have run, in milliseconds of the epoch
     */
    void ran(long planned);
  }

  /** Stores one job for each expression, which has seconds, and runs them from now on. */
  void schedule(List<String> expressions, Listener listener) throws Exception;

  /** Stops and removes all jobs. */
  void clear() throws Exception;

  void close() throws Exception;
}
