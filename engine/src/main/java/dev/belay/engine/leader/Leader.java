package dev.belay.engine.leader;

import dev.belay.engine.EngineSettings;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads when it can. Two loops step it: {@link #elect} keeps or seeks the leadership, {@link #tick}
 * works while it is held. What the ticking loop still does after the leadership was lost is stopped
 * by the fence in the store, not by timing.
 */
public final class Leader {

  private static final Logger log = LoggerFactory.getLogger(Leader.class);

  private final Election election;
  private final Tick tick;
  private final EngineSettings settings;
  private final Signal wakeTick;
  private final AtomicReference<@Nullable Epoch> epoch = new AtomicReference<>();

  public Leader(Election election, Tick tick, EngineSettings settings, Signal wakeTick) {
    this.election = election;
    this.tick = tick;
    this.settings = settings;
    this.wakeTick = wakeTick;
  }

  public Optional<Epoch> epoch() {
    return Optional.ofNullable(epoch.get());
  }

  /** Called by the election loop only. */
  public Duration elect() {
    Epoch held = epoch.get();
    if (held == null) {
      election.campaign().ifPresent(this::lead);
    } else if (!election.renew()) {
      stepDown(held, "the leader lock is lost");
    }
    return epoch.get() == null ? settings.campaign() : settings.renew();
  }

  /** Called by the election loop only, at the end. */
  public void resign() {
    Epoch held = epoch.get();
    if (held != null) {
      stepDown(held, "shutdown");
    }
    election.resign();
  }

  private void lead(Epoch won) {
    epoch.set(won);
    log.atInfo().addKeyValue("epoch", won.value()).log("leads");
    wakeTick.raise();
  }

  private void stepDown(Epoch held, String why) {
    epoch.set(null);
    election.resign();
    log.atInfo().addKeyValue("epoch", held.value()).addKeyValue("why", why).log("leads no more");
  }

  /** Called by the tick loop only. */
  public Duration tick() {
    Epoch held = epoch.get();
    if (held == null) {
      return settings.tick();
    }
    try {
      return tick.runOnce(held);
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", held.value()).log("deposed");
      // Only this epoch: the election may have won a newer one meanwhile.
      epoch.compareAndSet(held, null);
      return settings.tick();
    }
  }
}
