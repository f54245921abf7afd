package dev.belay.domain.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The next instants of a trigger as people see them, with the effects of changes of the clocks. */
public record Preview(List<Line> lines) {

  public Preview {
    lines = List.copyOf(lines);
  }

  /** In the order of time. */
  public sealed interface Line {

    /**
     * An instant.
     *
     * @param local in the trigger's zone
     * @param calendar the calendar that leaves it out; null when it fires
     */
    record Fires(
        Instant instant,
        OffsetDateTime local,
        @Nullable ClockChange change,
        @Nullable String calendar)
        implements Line {}

    /**
     * Local times that match but do not exist, and are skipped.
     *
     * @param local the first of them
     */
    record Skips(LocalDateTime local, int count) implements Line {}
  }

  /**
   * The next instants.
   *
   * @param calendar the calendar that the timing names; null when it names none
   * @param max so many instants, at most
   */
  public static Preview of(Timing timing, @Nullable DayCalendar calendar, Instant after, int max) {
    List<Line> lines = new ArrayList<>();
    Instant last = after;
    for (int count = 0; count < max; count++) {
      Optional<Instant> next = timing.next(last);
      if (next.isEmpty()) {
        break;
      }
      addSkipped(lines, timing, last, next.get());
      lines.add(fires(timing, calendar, next.get()));
      last = next.get();
    }
    return new Preview(lines);
  }

  private static Line fires(Timing timing, @Nullable DayCalendar calendar, Instant instant) {
    OffsetDateTime local = instant.atZone(timing.zone()).toOffsetDateTime();
    boolean excluded = calendar != null && calendar.excludes(local.toLocalDate());
    return new Line.Fires(
        instant,
        local,
        timing.clockChange(instant).orElse(null),
        calendar != null && excluded ? calendar.name() : null);
  }

  private static void addSkipped(List<Line> lines, Timing timing, Instant after, Instant until) {
    if (!(timing.recurrence() instanceof Cron cron)
        || cron.followsRealTime()
        || timing.dst().gap() != Dst.Gap.SKIP) {
      return;
    }
    ZoneRules rules = timing.zone().getRules();
    ZoneOffsetTransition change = rules.nextTransition(after);
    while (change != null && !change.getInstant().isAfter(until)) {
      if (change.isGap()) {
        addSkipped(lines, cron, change);
      }
      change = rules.nextTransition(change.getInstant());
    }
  }

  private static void addSkipped(List<Line> lines, Cron cron, ZoneOffsetTransition gap) {
    long end = gap.getDateTimeAfter().toEpochSecond(ZoneOffset.UTC);
    long first = cron.nextLocal(gap.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC), end);
    int count = 0;
    for (long local = first; local < end; local = cron.nextLocal(local + 1, end)) {
      count++;
    }
    if (count > 0) {
      lines.add(new Line.Skips(LocalDateTime.ofEpochSecond(first, 0, ZoneOffset.UTC), count));
    }
  }
}
