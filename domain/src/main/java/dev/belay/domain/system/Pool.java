package dev.belay.domain.system;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A declared pool of workers.
 *
 * @param slots how many slots its tasks may hold together; null means all slots of its workers
 * @param capabilities what each of its workers has, beside what a worker says of itself
 */
public record Pool(
    String name,
    @Nullable String description,
    State state,
    @Nullable Integer slots,
    SortedSet<String> capabilities,
    Strategy strategy) {

  public static final int SLOTS_MAX = 1_000_000;
  public static final int CAPABILITIES_MAX = 100;

  public enum State {
    ACTIVE,
    /** Its tasks finish, and no further one starts in it. It comes back. */
    DRAINING,
    /** Nothing starts in it, as if it had no workers. */
    INACTIVE
  }

  /** Which worker of the pool goes first. */
  public enum Strategy {
    /** The one with the least load. */
    SPREAD,
    /** The one with the most load that still has room, so that others stay free. */
    PACK
  }

  public Pool {
    capabilities = Collections.unmodifiableSortedSet(new TreeSet<>(capabilities));
  }

  /** A pool that only workers name. */
  public static Pool undeclared(String name) {
    return new Pool(name, null, State.ACTIVE, null, new TreeSet<>(), Strategy.SPREAD);
  }
}
