package dev.belay.domain.routing;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A known worker, connected or not.
 *
 * @param capacity memory and cpu of 0 are not declared, so they are not counted
 * @param held by the tasks that it holds or is about to hold
 */
public record Worker(
    WorkerId id,
    SessionId session,
    String name,
    Traits traits,
    Load capacity,
    Load held,
    Condition condition) {

  public Worker {
    if (capacity.slots() < 1) {
      throw new IllegalArgumentException("a worker has at least one slot");
    }
  }

  public Worker holding(Load load) {
    return new Worker(id, session, name, traits, capacity, load, condition);
  }

  /** Whether it gets tasks when it has room. */
  public boolean takesWork() {
    return condition.presence() == Presence.PRESENT && !condition.setAside();
  }

  /**
   * @param until null when it may be asked
   */
  public Worker refusing(@Nullable Instant until) {
    return Objects.equals(until, condition.refusesUntil())
        ? this
        : new Worker(id, session, name, traits, capacity, held, condition.refusing(until));
  }

  /** What a worker says of itself when it connects. */
  public record Traits(Set<String> pools, Set<String> capabilities, Map<String, String> labels) {
    public Traits {
      pools = Set.copyOf(pools);
      capabilities = Set.copyOf(capabilities);
      labels = Map.copyOf(labels);
    }

    public static Traits ofPools(String... pools) {
      return new Traits(Set.of(pools), Set.of(), Map.of());
    }
  }

  /**
   * How a worker is at the moment.
   *
   * @param withheldSlots slots that it does not offer although no task takes them
   * @param refusesUntil it refused a task for lack of resources, and is not asked before
   */
  public record Condition(
      Presence presence,
      boolean setAside,
      int withheldSlots,
      double cpuPercent,
      double gpuPercent,
      @Nullable Instant refusesUntil) {
    public static final Condition IDLE = new Condition(Presence.PRESENT, false, 0, 0, 0, null);

    Condition refusing(@Nullable Instant until) {
      return new Condition(presence, setAside, withheldSlots, cpuPercent, gpuPercent, until);
    }

    /** Load changes often; the rest seldom. */
    boolean isSameBesidesLoad(Condition other) {
      return presence == other.presence
          && setAside == other.setAside
          && Objects.equals(refusesUntil, other.refusesUntil);
    }
  }

  /** Whether a worker takes work. */
  public enum Presence {
    PRESENT,
    /** It reports a problem, such as a full disk. */
    TROUBLED,
    DRAINING,
    SILENT,
    DISCONNECTED
  }
}
