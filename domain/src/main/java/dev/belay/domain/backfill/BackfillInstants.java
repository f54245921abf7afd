package dev.belay.domain.backfill;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a backfill: those of a timing in a range, without the days that a calendar
 * excludes. Never holds all of them.
 *
 * @param calendar the calendar of the timing; null when it names none
 * @param from the first instant may be at it
 * @param to all instants are before it
 * @param forward oldest first, or newest first
 */
public record BackfillInstants(
    Timing timing, @Nullable DayCalendar calendar, Instant from, Instant to, boolean forward) {

  private static final Duration WINDOW_MIN = Duration.ofSeconds(1);
  private static final Duration WINDOW_FIRST = Duration.ofDays(1);
  private static final int WINDOW_GROWS = 4;

  /**
   * How many there are.
   *
   * @param total without the excluded ones
   * @param more the timing has more instants in the range than were counted
   */
  public record Count(int total, boolean more) {}

  /** Counts no more than {@code max} instants, with the excluded ones. */
  public Count count(int max) {
    int total = 0;
    int seen = 0;
    Optional<Instant> at = timing.next(from.minusNanos(1));
    while (at.isPresent() && at.get().isBefore(to)) {
      if (seen == max) {
        return new Count(total, true);
      }
      seen++;
      if (!isExcluded(at.get())) {
        total++;
      }
      at = timing.next(at.get());
    }
    return new Count(total, false);
  }

  /** The first one in its order; empty when there are none. */
  public Optional<Instant> first() {
    return take(forward ? from : to.minusNanos(1), 1).stream().findFirst();
  }

  /** Up to {@code max} instants in its order, beginning with {@code next} itself. */
  public List<Instant> take(Instant next, int max) {
    return forward ? takeForward(next, max) : takeBack(next, max);
  }

  private List<Instant> takeForward(Instant next, int max) {
    List<Instant> taken = new ArrayList<>();
    Instant start = next.isBefore(from) ? from : next;
    Optional<Instant> at = timing.next(start.minusNanos(1));
    while (taken.size() < max && at.isPresent() && at.get().isBefore(to)) {
      if (!isExcluded(at.get())) {
        taken.add(at.get());
      }
      at = timing.next(at.get());
    }
    return taken;
  }

  /** A timing only knows the next instant, so this looks at windows, the newest first. */
  private List<Instant> takeBack(Instant next, int max) {
    List<Instant> taken = new ArrayList<>();
    Instant end = next.isBefore(to) ? next.plusNanos(1) : to;
    Duration whole = Duration.between(from, to);
    Duration window = WINDOW_FIRST;
    int most = max * WINDOW_GROWS;
    while (taken.size() < max && end.isAfter(from)) {
      Duration size = window.compareTo(whole) < 0 ? window : whole;
      Instant begin = end.minus(size).isBefore(from) ? from : end.minus(size);
      List<Instant> found = between(begin, end, most);
      if (found.size() > most && size.compareTo(WINDOW_MIN) > 0) {
        window = size.dividedBy((long) WINDOW_GROWS * WINDOW_GROWS);
        continue;
      }
      found.reversed().stream().filter(at -> !isExcluded(at)).forEach(taken::add);
      end = begin;
      window = size.multipliedBy(WINDOW_GROWS);
    }
    return taken.size() <= max ? taken : List.copyOf(taken.subList(0, max));
  }

  /** At most one more than {@code max}. */
  private List<Instant> between(Instant begin, Instant end, int max) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> at = timing.next(begin.minusNanos(1));
    while (found.size() <= max && at.isPresent() && at.get().isBefore(end)) {
      found.add(at.get());
      at = timing.next(at.get());
    }
    return found;
  }

  private boolean isExcluded(Instant at) {
    return calendar != null && calendar.excludes(LocalDate.ofInstant(at, timing.zone()));
  }
}
