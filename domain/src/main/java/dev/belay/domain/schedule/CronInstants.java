package dev.belay.domain.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a cron expression in a zone.
 *
 * <p>Between two changes of a zone's clocks lies a <i>segment</i>, in which local times and
 * instants map one to one. A local time that a gap leaves out moves into the beginning of the
 * segment behind the gap: at the offset before the gap it denotes just the instant that is later by
 * the length of the gap. A local time that occurs twice is in the segments on both sides of the
 * change, and {@link Dst.Repeat} decides which of them has it. No change moves a clock by more than
 * a day, and no segment is shorter than the moves at its ends (CronInstantsTest checks all zones).
 *
 * <p>All times are in seconds.
 */
record CronInstants(Cron cron, ZoneRules rules, Dst dst) {

  private static final int DAY = 86_400;
  private static final int OFFSET_MAX = 18 * 3600;

  /** The first instant from {@code from} on, or {@code until} when there is none before it. */
  long next(long from, long until) {
    long at = from;
    while (at < until) {
      Segment segment = segment(at);
      // A clock that went back or a shifted time: an instant's day differs by up to a day from the
      // matching day, and so does the day of a later instant from that of an earlier one.
      long today = Math.floorDiv(at + segment.offset, DAY);
      long day = cron.nextDay(today - 2, Math.floorDiv(until, DAY) + 2);
      long earliest = day * DAY - OFFSET_MAX;
      if (earliest > at) {
        at = earliest;
        segment = segment(at);
      }
      long found = first(segment, at);
      if (found < segment.until) {
        return Math.min(found, until);
      }
      at = segment.until;
    }
    return until;
  }

  /** The first instant in a segment from {@code at} on, or the segment's end. */
  private long first(Segment segment, long at) {
    long low = at + segment.offset;
    long high = segment.until + segment.offset;
    if (cron.followsRealTime()) {
      return cron.nextLocal(low, high) - segment.offset;
    }
    ZoneOffsetTransition before = segment.before;
    ZoneOffsetTransition after = segment.after;
    if (before != null && before.isOverlap() && dst.repeat() == Dst.Repeat.FIRST) {
      low = Math.max(low, segment.from + before.getOffsetBefore().getTotalSeconds());
    }
    if (after != null && after.isOverlap() && dst.repeat() == Dst.Repeat.LAST) {
      high = segment.until + after.getOffsetAfter().getTotalSeconds();
    }
    long found = cron.nextLocal(low, high);
    long instant = found < high ? found - segment.offset : segment.until;
    if (before != null && before.isGap() && dst.gap() == Dst.Gap.SHIFT) {
      int offset = before.getOffsetBefore().getTotalSeconds();
      long gapEnd = segment.from + segment.offset;
      long shifted = cron.nextLocal(at + offset, gapEnd);
      return shifted < gapEnd ? Math.min(instant, shifted - offset) : instant;
    }
    return instant;
  }

  private Segment segment(long at) {
    Instant instant = Instant.ofEpochSecond(at);
    return new Segment(
        rules.getOffset(instant).getTotalSeconds(),
        // the last change at or before it: changes occur at whole seconds
        rules.previousTransition(instant.plusSeconds(1)),
        rules.nextTransition(instant));
  }

  /** The time between two changes; {@code from} and {@code until} are its bounds. */
  private record Segment(
      int offset,
      @Nullable ZoneOffsetTransition before,
      @Nullable ZoneOffsetTransition after,
      long from,
      long until) {

    /** Behind all times of Belay, and far from an overflow. */
    private static final long NEVER = LocalDate.of(9999, 1, 1).toEpochDay() * DAY;

    Segment(
        int offset, @Nullable ZoneOffsetTransition before, @Nullable ZoneOffsetTransition after) {
      this(
          offset,
          before,
          after,
          before == null ? -NEVER : before.toEpochSecond(),
          after == null ? NEVER : after.toEpochSecond());
    }
  }
}
