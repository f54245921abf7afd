package dev.belay.server.api;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory that requests may hold at once for one purpose. Small requests have their own share, so a
 * few large requests never block the many small ones.
 */
final class Budget {

  private static final long UNIT = 1 << 10;
  private static final int SMALL_SHARE = 4;

  private final long smallMax;
  private final Lane small;
  private final Lane large;

  /**
   * @param bytes in total
   * @param smallMax the largest size that counts as small
   */
  Budget(long bytes, long smallMax) {
    this.smallMax = smallMax;
    this.small = new Lane(bytes / SMALL_SHARE);
    this.large = new Lane(bytes - bytes / SMALL_SHARE);
  }

  Lane laneFor(long bytes) {
    return bytes <= smallMax ? small : large;
  }

  long inUse() {
    return small.inUse() + large.inUse();
  }

  /** One share of the budget. */
  static final class Lane {
    private final int units;
    private final Semaphore free;

    private Lane(long bytes) {
      this.units = Math.toIntExact(Math.max(1, bytes / UNIT));
      this.free = new Semaphore(units, true);
    }

    boolean hasRoomFor(long bytes) {
      return units(bytes) <= free.availablePermits();
    }

    /** An empty lease, which grows as bytes arrive. */
    Lease lease() {
      return new Lease(this);
    }

    /** Waits for its turn; empty when that takes too long. */
    @CheckReturnValue
    Optional<Lease> take(long bytes, Duration atMost) throws InterruptedException {
      var wanted = units(bytes);
      if (!free.tryAcquire(wanted, atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.empty();
      }
      return Optional.of(new Lease(this, wanted));
    }

    private long inUse() {
      return (units - free.availablePermits()) * UNIT;
    }

    /** A request larger than the whole share needs all of it and so runs alone. */
    private int units(long bytes) {
      return (int) Math.min(units, (bytes + UNIT - 1) / UNIT);
    }
  }

  /** The memory that one request holds. Not for two threads at once. */
  static final class Lease implements AutoCloseable {
    private final Lane lane;
    private int held;

    private Lease(Lane lane) {
      this(lane, 0);
    }

    private Lease(Lane lane, int held) {
      this.lane = lane;
      this.held = held;
    }

    /** Raises the lease to this total; false when there is no room now. */
    @CheckReturnValue
    boolean growTo(long bytes) {
      var more = lane.units(bytes) - held;
      if (more > 0 && !lane.free.tryAcquire(more)) {
        return false;
      }
      held += Math.max(0, more);
      return true;
    }

    @Override
    public void close() {
      lane.free.release(held);
      held = 0;
    }
  }
}
