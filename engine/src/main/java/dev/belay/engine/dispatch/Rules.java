package dev.belay.engine.dispatch;

import dev.belay.domain.limit.Limits;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.RoutingReads.Declared;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What people declared, as the leader last read it. A hint makes the next round look; a look at
 * each tick finds what no hint told. For the tick's thread, except the hint.
 */
public final class Rules {

  private final RoutingReads reads;
  private final Duration lookEvery;
  private final LongSupplier ticker;
  private volatile Declared declared =
      new Declared(-1, List.of(), List.of(), Limits.NONE, Map.of());
  private @Nullable Epoch lookedBy;
  private long lookedAt;
  private final AtomicBoolean hinted = new AtomicBoolean();

  /**
   * @param settings a tick is the time between two looks
   * @param ticker monotonic nanoseconds
   */
  public Rules(RoutingReads reads, EngineSettings settings, LongSupplier ticker) {
    this.reads = reads;
    this.lookEvery = settings.tick();
    this.ticker = ticker;
  }

  /** Somebody declared something else. Call it after the commit; any thread. */
  public void hint() {
    hinted.set(true);
  }

  /** Whether a topic is declared, as the leader last read it. Any thread. */
  public boolean isTopic(String name) {
    return declared.topics().stream().anyMatch(topic -> topic.name().equals(name));
  }

  Declared declared() {
    return declared;
  }

  /** Reads what changed, if it is time for a look; returns whether something did. */
  boolean look(Epoch epoch) {
    long now = ticker.getAsLong();
    boolean due = !epoch.equals(lookedBy) || now - lookedAt >= lookEvery.toNanos();
    // Cleared before the read: what is declared during it makes the next round look again.
    if (!hinted.getAndSet(false) && !due) {
      return false;
    }
    lookedBy = null; // A read that fails is tried again.
    boolean changed = reads.version() != declared.version();
    if (changed) {
      declared = reads.declared();
    }
    lookedBy = epoch;
    lookedAt = now;
    return changed;
  }
}
