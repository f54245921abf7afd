package dev.belay.engine.trigger;

import dev.belay.domain.id.EventId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerVersionId;
import dev.belay.domain.spec.TriggerSpec.OnEvent;
import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.domain.trigger.Causes;
import dev.belay.domain.trigger.SkipReason;
import dev.belay.domain.trigger.Verdict;
import dev.belay.domain.trigger.Windows;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.EventKey;
import dev.belay.engine.port.EventReads;
import dev.belay.engine.port.EventReads.OpenWindow;
import dev.belay.engine.port.EventReads.WaitingEvent;
import dev.belay.engine.trigger.EventStart.Passed;
import dev.belay.engine.trigger.TriggerPool.Done;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends windows: all events of one start one run. The rows that wait decide when a window is over,
 * so another leader continues where this one stopped. For the loop of {@link EventPhase}.
 */
public final class WindowPhase {

  private static final Logger log = LoggerFactory.getLogger(WindowPhase.class);

  private static final Duration IDLE = Duration.ofSeconds(1);

  /** Events come faster than windows need to be looked at. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private static final int WINDOWS_MAX = 500;
  private static final int DATA_CHARS_MAX = 1_000_000;
  private static final int DATA_EVENTS_MAX = 1_000;

  private final EventReads reads;
  private final EventStart start;
  private final TriggerPool<TriggerVersionId, Closing, Given> pool;
  private final LongSupplier ticker;
  private @Nullable TriggerVersionId last;
  private boolean looked;
  private long lookedAt;
  private Duration next = Duration.ZERO;

  /** A window that is over, with its events, the newest last. */
  public record Closing(OpenWindow window, OnEvent trigger, List<WaitingEvent> events) {
    WaitingEvent newest() {
      return events.getLast();
    }

    int depth() {
      return events.stream().mapToInt(WaitingEvent::depth).max().orElse(0);
    }
  }

  /**
   * @param pool computes parameters from the events
   * @param ticker monotonic nanoseconds
   */
  public WindowPhase(
      EventReads reads,
      EventStart start,
      TriggerPool<TriggerVersionId, Closing, Given> pool,
      LongSupplier ticker) {
    this.reads = reads;
    this.start = start;
    this.pool = pool;
    this.ticker = ticker;
  }

  /**
   * @return when to look again
   */
  Duration runOnce(Epoch epoch) {
    boolean closed = collect(epoch);
    Duration since = Duration.ofNanos(ticker.getAsLong() - lookedAt);
    if (looked && !closed && since.compareTo(LOOK_EVERY) < 0) {
      Duration rest = next.minus(since);
      return rest.compareTo(LOOK_EVERY) < 0 ? LOOK_EVERY : rest;
    }
    looked = true;
    lookedAt = ticker.getAsLong();
    next = look(epoch);
    return collect(epoch) ? Duration.ZERO : next;
  }

  private Duration look(Epoch epoch) {
    List<OpenWindow> windows = reads.readWindows(WINDOWS_MAX, last, Windows.EVENTS_MAX);
    last = windows.size() < WINDOWS_MAX ? null : windows.getLast().waiter().version();
    Duration soonest = last == null ? IDLE : Duration.ZERO;
    for (OpenWindow window : windows) {
      Duration wait = look(epoch, window);
      soonest = wait.compareTo(soonest) < 0 ? wait : soonest;
    }
    return soonest;
  }

  private Duration look(Epoch epoch, OpenWindow window) {
    TriggerVersionId version = window.waiter().version();
    if (pool.busy().contains(version)) {
      return IDLE;
    }
    OnEvent trigger;
    try {
      trigger = start.trigger(window.waiter());
    } catch (RuntimeException unreadable) {
      log.atWarn().addKeyValue("trigger", version).setCause(unreadable).log("unreadable trigger");
      return IDLE;
    }
    Instant horizon = window.horizon();
    Optional<Instant> notBefore = notBefore(trigger.window(), window);
    if (notBefore.isPresent() && horizon.isBefore(notBefore.get())) {
      return Duration.between(horizon, notBefore.get());
    }
    List<WaitingEvent> events = reads.readWaiting(version, Windows.EVENTS_MAX);
    if (events.isEmpty()) {
      return IDLE;
    }
    var look =
        Windows.look(
            trigger.window(), events.stream().map(WaitingEvent::receivedAt).toList(), horizon);
    if (look.over() == 0) {
      Instant at = look.lookAt();
      return at == null ? IDLE : Duration.between(horizon, at);
    }
    close(epoch, new Closing(window, trigger, List.copyOf(events.subList(0, look.over()))));
    return Duration.ZERO;
  }

  /** Saves reading the events of a window that cannot be over. */
  private static Optional<Instant> notBefore(Window window, OpenWindow open) {
    return switch (window) {
      case Window.None() -> Optional.empty();
      case Window.Debounce(var quiet, var max) -> {
        Instant silent = open.lastAt().plus(quiet);
        Instant limit = open.firstAt().plus(max);
        yield open.events() >= Windows.EVENTS_MAX
            ? Optional.empty()
            : Optional.of(silent.isBefore(limit) ? silent : limit);
      }
      case Window.Batch(var max, var oldest) ->
          open.events() >= max || open.events() >= Windows.EVENTS_MAX
              ? Optional.empty()
              : Optional.of(open.firstAt().plus(oldest));
    };
  }

  private void close(Epoch epoch, Closing closing) {
    Optional<SkipReason> skip =
        Causes.ofCause(
            closing.window().waiter().target().state(), closing.depth(), start.depthMax());
    if (skip.isPresent()) {
      skip(epoch, closing, skip.get().word());
    } else if (EventStart.templates(closing.trigger()).isEmpty()) {
      fire(epoch, closing, start.given(closing.trigger(), List.of()));
    } else {
      List<EventId> newest =
          closing.events().stream()
              .skip(Math.max(0, closing.events().size() - DATA_EVENTS_MAX))
              .map(event -> event.key().event())
              .toList();
      List<String> data = reads.readData(newest, DATA_CHARS_MAX);
      pool.offer(
          epoch,
          closing.window().waiter().version(),
          closing,
          () -> start.given(closing.trigger(), data));
    }
  }

  private boolean collect(Epoch epoch) {
    boolean any = false;
    for (Done<Closing, Given> done : pool.collect(epoch)) {
      Given given = done.result();
      fire(
          epoch,
          done.rows(),
          given == null ? new Given.Refused("expression_too_costly: " + done.failure()) : given);
      any = true;
    }
    return any;
  }

  private void fire(Epoch epoch, Closing closing, Given given) {
    switch (given) {
      case Given.Refused(var why) -> skip(epoch, closing, SkipReason.PARAMS.word(why));
      case Given.Values(var params) -> {
        WaitingEvent newest = closing.newest();
        var passed =
            new Passed(
                closing.window().waiter(),
                newest.key(),
                newest.receivedAt(),
                closing.depth(),
                params);
        for (Choice<EventKey> choice : start.choose(List.of(passed))) {
          switch (choice.verdict()) {
            case Verdict.Fired(var run) -> write(epoch, closing, choice, run);
            case Verdict.Skipped(var reason) -> skip(epoch, closing, reason);
            case Verdict.Coalesced _, Verdict.Waiting _, Verdict.Filtered _, Verdict.Failed _ ->
                throw new IllegalStateException("no choice of a start: " + choice);
          }
        }
      }
    }
  }

  private void write(Epoch epoch, Closing closing, Choice<EventKey> newest, RunId run) {
    List<Choice<EventKey>> choices = new ArrayList<>();
    for (WaitingEvent event : closing.events()) {
      choices.add(
          event.key().equals(newest.key())
              ? newest
              : Choice.of(event.key(), new Verdict.Coalesced(run)));
    }
    start.writeWindow(epoch, choices);
  }

  private void skip(Epoch epoch, Closing closing, String reason) {
    start.writeWindow(
        epoch,
        closing.events().stream()
            .<Choice<EventKey>>map(event -> Choice.of(event.key(), new Verdict.Skipped(reason)))
            .toList());
  }
}
