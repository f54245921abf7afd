package dev.belay.agent.link;

import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Results;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Started;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages on a stream. Each carries its sending time, which shows the server the transit
 * time. Results gather until the loop has handled all that happened, and go out together. It holds
 * starts back for a moment, because the end of a short task makes its start superfluous. Only the
 * loop uses it.
 */
final class Outgoing {

  /** Far below the largest message that a server takes. */
  private static final long BYTES_MAX = 512 * 1_024;

  private final InstantSource clock;
  private final Duration startsHeldFor;
  private final Threads threads;
  private final Runnable onStartsDue;
  private final Map<String, Started> heldStarts = new LinkedHashMap<>();
  private final Results.Builder gathered = Results.newBuilder();
  private boolean timerSet;
  private int resultsMax;
  private int count;
  private long bytes;

  /**
   * @param onStartsDue called on a timer thread; must make the loop call {@link #sendStarts} soon
   */
  Outgoing(InstantSource clock, Duration startsHeldFor, Threads threads, Runnable onStartsDue) {
    this.clock = clock;
    this.startsHeldFor = startsHeldFor;
    this.threads = threads;
    this.onStartsDue = onStartsDue;
  }

  /** A welcome tells how many results the server takes in one message: 0 means one by one. */
  void received(ServerMessage message) {
    if (message.hasWelcome()) {
      resultsMax = message.getWelcome().getResultsMax();
    }
  }

  void send(SessionStream to, AgentMessage message) {
    switch (message.getKindCase()) {
      case STARTED -> hold(message.getStarted());
      case FINISHED -> {
        heldStarts.remove(message.getFinished().getDispatchId());
        gather(to, message);
      }
      case REFUSED -> gather(to, message);
      case HELLO, HEARTBEAT, ACKED, DRAINING, RESULTS, KIND_NOT_SET -> {
        // A heartbeat omits what is over, so it must not overtake the end.
        sendGathered(to);
        stamped(to, message.toBuilder());
      }
    }
  }

  private void hold(Started start) {
    if (!timerSet) {
      timerSet = true;
      var _ = threads.timers().schedule(onStartsDue, startsHeldFor.toNanos(), TimeUnit.NANOSECONDS);
    }
    heldStarts.put(start.getDispatchId(), start);
  }

  void sendStarts(@Nullable SessionStream to) {
    timerSet = false;
    if (to != null) {
      heldStarts
          .values()
          .forEach(start -> gather(to, AgentMessage.newBuilder().setStarted(start).build()));
      sendGathered(to);
    }
    heldStarts.clear();
  }

  private void gather(SessionStream to, AgentMessage result) {
    if (resultsMax == 0) {
      stamped(to, result.toBuilder());
      return;
    }
    long size = result.getSerializedSize();
    if (count == resultsMax || bytes + size > BYTES_MAX) {
      sendGathered(to);
    }
    count++;
    bytes += size;
    switch (result.getKindCase()) {
      case STARTED -> gathered.addStarted(result.getStarted());
      case FINISHED -> gathered.addFinished(result.getFinished());
      case REFUSED -> gathered.addRefused(result.getRefused());
      default -> throw new IllegalArgumentException("no result: " + result.getKindCase());
    }
  }

  void sendGathered(@Nullable SessionStream to) {
    if (count > 0 && to != null) {
      AgentMessage.Builder message = AgentMessage.newBuilder().setResults(gathered.build());
      clear();
      stamped(to, message);
    }
  }

  private void clear() {
    gathered.clear();
    count = 0;
    bytes = 0;
  }

  /** Drops what belongs to a stream that is over; the session sends it again. */
  void forget() {
    heldStarts.clear();
    clear();
    resultsMax = 0;
  }

  private void stamped(SessionStream to, AgentMessage.Builder message) {
    to.send(message.setSentAtMs(clock.millis()).build());
  }
}
