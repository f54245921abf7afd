package dev.belay.engine.dispatch;

import dev.belay.domain.limit.Limits;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.RoutingReads.Declared;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What people declared, as the leader last read it. For the tick's thread. */
public final class Rules {

  private final RoutingReads reads;
  private final Duration lookEvery;
  private final LongSupplier ticker;
  private Declared declared = new Declared(-1, List.of(), List.of(), Limits.NONE, Map.of());
  private @Nullable Epoch lookedBy;
  private long lookedAt;

  /**
   * @param settings a tick is the time between two looks
   * @param ticker monotonic nanoseconds
   */
  public Rules(RoutingReads reads, EngineSettings settings, LongSupplier ticker) {
    this.reads = reads;
    this.lookEvery = settings.tick();
    this.ticker = ticker;
  }

  Declared declared() {
    return declared;
  }

  /** Reads what changed, if it is time for a look; returns whether something did. */
  boolean look(Epoch epoch) {
    long now = ticker.getAsLong();
    if (epoch.equals(lookedBy) && now - lookedAt < lookEvery.toNanos()) {
      return false;
    }
    boolean changed = reads.version() != declared.version();
    if (changed) {
      declared = reads.declared();
    }
    lookedBy = epoch;
    lookedAt = now;
    return changed;
  }
}
