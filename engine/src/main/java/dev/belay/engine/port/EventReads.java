package dev.belay.engine.port;

import dev.belay.domain.id.EventId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.TriggerVersionId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of events that triggers wait for. */
public interface EventReads {

  /**
   * The trigger that was in force when an event came.
   *
   * @param name of the trigger
   * @param spec as JSON
   */
  record Waiter(
      TriggerId trigger,
      TriggerVersionId version,
      String name,
      String spec,
      TriggerTarget target) {}

  /** An event that nobody has looked at. */
  record PendingEvent(EventKey key, Instant receivedAt, int depth, String data, Waiter waiter) {}

  /**
   * Events that nobody has looked at, the oldest of each trigger first.
   *
   * @param max of all triggers
   * @param each of one trigger, so that none keeps the others waiting
   * @param after versions of triggers up to this one are left out; null for the first ones
   * @param except further versions that are left out
   */
  List<PendingEvent> readPending(
      int max, int each, @Nullable TriggerVersionId after, Collection<TriggerVersionId> except);

  /**
   * Events that wait for the end of a window.
   *
   * @param events how many, up to the limit of the read
   * @param firstPendingAt when the oldest event came that nobody has looked at
   */
  record OpenWindow(
      Waiter waiter,
      Instant firstAt,
      Instant lastAt,
      int events,
      @Nullable Instant firstPendingAt) {

    /** No event that came before this is missing. */
    public Instant horizon() {
      Instant pending = firstPendingAt;
      Instant now = waiter.target().now();
      return pending == null || pending.isAfter(now) ? now : pending;
    }
  }

  /**
   * Windows, by version of their trigger.
   *
   * @param max of all
   * @param after versions up to this one are left out; null for the first ones
   * @param eventsMax counts no further
   */
  List<OpenWindow> readWindows(int max, @Nullable TriggerVersionId after, int eventsMax);

  record WaitingEvent(EventKey key, Instant receivedAt, int depth) {}

  /** The oldest events in a window. */
  List<WaitingEvent> readWaiting(TriggerVersionId version, int max);

  /**
   * The data of the newest of these events, as JSON, the newest last.
   *
   * @param events the newest last
   * @param charsMax leaves out the older ones when all are longer together
   */
  List<String> readData(List<EventId> events, int charsMax);

  /** How many ends of runs and events nobody has decided, up to a limit. */
  Undecided countUndecided(int max);

  record Undecided(long chains, long events) {}
}
