package dev.belay.agent.link;

import dev.belay.protocol.agent.v1.AgentMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages on a stream. Each carries its sending time, which shows the server the transit
 * time. It holds starts back for a moment, because the end of a short task makes its start
 * superfluous. Only the loop uses it.
 */
final class Outgoing {

  private final InstantSource clock;
  private final Duration startsHeldFor;
  private final Threads threads;
  private final Runnable onStartsDue;
  private final Map<String, AgentMessage> heldStarts = new LinkedHashMap<>();
  private boolean timerSet;

  /**
   * @param onStartsDue called on a timer thread; must make the loop call {@link #sendStarts} soon
   */
  Outgoing(InstantSource clock, Duration startsHeldFor, Threads threads, Runnable onStartsDue) {
    this.clock = clock;
    this.startsHeldFor = startsHeldFor;
    this.threads = threads;
    this.onStartsDue = onStartsDue;
  }

  void send(SessionStream to, AgentMessage message) {
    if (message.hasStarted()) {
      hold(message);
      return;
    }
    if (message.hasFinished()) {
      heldStarts.remove(message.getFinished().getDispatchId());
    }
    stamped(to, message);
  }

  private void hold(AgentMessage start) {
    if (!timerSet) {
      timerSet = true;
      var _ = threads.timers().schedule(onStartsDue, startsHeldFor.toNanos(), TimeUnit.NANOSECONDS);
    }
    heldStarts.put(start.getStarted().getDispatchId(), start);
  }

  void sendStarts(@Nullable SessionStream to) {
    timerSet = false;
    if (to != null) {
      heldStarts.values().forEach(start -> stamped(to, start));
    }
    heldStarts.clear();
  }

  /** Drops the starts of a stream that is over; the session sends them again. */
  void forget() {
    heldStarts.clear();
  }

  private void stamped(SessionStream to, AgentMessage message) {
    to.send(message.toBuilder().setSentAtMs(clock.millis()).build());
  }
}
