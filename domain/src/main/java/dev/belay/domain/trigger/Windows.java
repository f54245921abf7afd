package dev.belay.domain.trigger;

import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.domain.spec.TriggerSpec.Window.Batch;
import dev.belay.domain.spec.TriggerSpec.Window.Debounce;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides which of the events that wait belong to one run. Only their times and now decide. */
public final class Windows {

  /** A window with more events is full. */
  public static final int EVENTS_MAX = 10_000;

  private Windows() {}

  /**
   * What to do with the events that wait.
   *
   * @param over so many of the oldest make a window that is over; zero when none is
   * @param lookAt when the first window is over, if no more events come; null when one is now
   */
  public record Look(int over, @Nullable Instant lookAt) {

    static Look over(int events) {
      return new Look(events, null);
    }
  }

  /**
   * @param received when the events came, the oldest first; at least one, at most EVENTS_MAX
   * @param now no event that came before this is missing
   */
  public static Look look(Window window, List<Instant> received, Instant now) {
    return switch (window) {
      case Window.None() -> Look.over(1);
      case Debounce debounce -> debounce(debounce, received, now);
      case Batch batch -> batch(batch, received, now);
    };
  }

  private static Look debounce(Debounce window, List<Instant> received, Instant now) {
    Instant limit = received.getFirst().plus(window.max());
    Instant last = received.getFirst();
    for (int i = 1; i < received.size(); i++) {
      Instant next = received.get(i);
      if (!next.isBefore(last.plus(window.quiet())) || !next.isBefore(limit)) {
        return Look.over(i);
      }
      last = next;
    }
    Instant quiet = last.plus(window.quiet());
    return overOrAt(received.size(), quiet.isBefore(limit) ? quiet : limit, now);
  }

  private static Look batch(Batch window, List<Instant> received, Instant now) {
    return received.size() >= window.max()
        ? Look.over(window.max())
        : overOrAt(received.size(), received.getFirst().plus(window.oldest()), now);
  }

  private static Look overOrAt(int events, Instant end, Instant now) {
    return events >= EVENTS_MAX || !now.isBefore(end) ? Look.over(events) : new Look(0, end);
  }
}
