package dev.belay.server.retention;

import dev.belay.engine.lease.PeriodicJob;
import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseToken;
import dev.belay.store.lease.JobTransaction;
import dev.belay.store.lease.LeaseFence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Removes rows that are kept for a while only: a periodic job. It goes through the kinds in turn,
 * one batch at each step.
 */
public final class OldRows implements PeriodicJob.Work {

  /** Batches of one kind in a run; the rest is for the next period. */
  private static final int BATCHES_MAX = 1_000;

  private final Jdbi jdbi;
  private final List<Kind> kinds;
  private final int rowsMax;
  private @Nullable LeaseToken run;
  private int kind;
  private int batches;
  private @Nullable RuntimeException failure;

  /** Removes one batch of one kind of row. */
  @FunctionalInterface
  public interface Kind {
    /** Returns how many rows it removed. */
    int remove(JobTransaction transaction);
  }

  /**
   * @param rowsMax a batch of fewer rows was the last of its kind
   */
  public OldRows(Jdbi jdbi, List<Kind> kinds, int rowsMax) {
    this.jdbi = jdbi;
    this.rowsMax = rowsMax;
    this.kinds = List.copyOf(kinds);
  }

  @Override
  public Optional<Duration> step(LeaseToken token) {
    if (!token.equals(run)) {
      run = token;
      kind = 0;
      batches = 0;
      failure = null;
    }
    int removed = remove(token);
    batches++;
    if (removed < rowsMax || batches == BATCHES_MAX) {
      kind++;
      batches = 0;
    }
    if (kind < kinds.size()) {
      return Optional.of(Duration.ZERO);
    }
    if (failure != null) {
      throw failure;
    }
    return Optional.empty();
  }

  /** A kind that fails does not keep the others from being removed. */
  private int remove(LeaseToken token) {
    try {
      return kinds.get(kind).remove(LeaseFence.of(jdbi, token));
    } catch (LeaseLost lost) {
      throw lost;
    } catch (RuntimeException failed) {
      failure = failed;
      return 0;
    }
  }
}
