package dev.belay.domain.schedule;

import dev.belay.domain.schedule.ClockChange.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a trigger. All are in the years 1970 to 2199, and have no parts of a microsecond,
 * so that the database keeps them as they are.
 *
 * @param start no instant is before it
 * @param end no instant is at or after it
 * @param calendar the name of the calendar whose days are left out; the caller asks the calendar
 * @param jitter an instant fires up to this much later, always by the same amount
 */
public record Timing(
    Recurrence recurrence,
    ZoneId zone,
    Dst dst,
    @Nullable Instant start,
    @Nullable Instant end,
    @Nullable String calendar,
    Duration jitter) {

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  /**
   * A cron expression that has no instant for so long has none at all: 29 February on a Monday
   * comes after 40 years at most. Only an expression all of whose local times are skipped gets
   * here.
   */
  private static final long CRON_PAUSE_MAX = Duration.ofDays(50 * 366).toSeconds();

  public Timing {
    if (jitter.isNegative()) {
      throw new IllegalArgumentException("a jitter of " + jitter);
    }
  }

  /** The first instant after this one; empty when there is none. */
  public Optional<Instant> next(Instant after) {
    Instant first = start == null || start.isBefore(FIRST) ? FIRST : start;
    Instant until = end == null || end.isAfter(END) ? END : end;
    // so that an instant at the start is after it
    Instant from = after.isBefore(first) ? first.minusNanos(1) : after;
    if (!from.isBefore(until)) {
      return Optional.empty();
    }
    Instant next =
        switch (recurrence) {
          case Cron cron -> nextOf(cron, from, until);
          case Every every -> every.next(from);
          case At at -> at.instant().isAfter(from) ? at.instant() : until;
        };
    return next.isBefore(until) ? Optional.of(next) : Optional.empty();
  }

  private Instant nextOf(Cron cron, Instant after, Instant until) {
    long from = after.getEpochSecond() + 1;
    // Rounded up, so that an instant in the last second before the end is found.
    long end = until.plusNanos(999_999_999).getEpochSecond();
    long horizon = Math.min(end, from + CRON_PAUSE_MAX);
    long next = new CronInstants(cron, zone.getRules(), dst).next(from, horizon);
    return next < horizon ? Instant.ofEpochSecond(next) : until;
  }

  /** How a change of the clocks affected one of these instants; empty when none did. */
  public Optional<ClockChange> clockChange(Instant instant) {
    ZoneRules rules = zone.getRules();
    LocalDateTime local = LocalDateTime.ofInstant(instant, zone);
    ZoneOffsetTransition repeat = rules.getTransition(local);
    if (repeat != null) {
      return Optional.of(
          new ClockChange(
              instant.isBefore(repeat.getInstant()) ? Kind.FIRST_OF_TWO : Kind.SECOND_OF_TWO,
              local,
              repeat.getDuration().abs()));
    }
    ZoneOffsetTransition last = rules.previousTransition(instant.plusNanos(1));
    if (last == null
        || !last.isGap()
        || dst.gap() != Dst.Gap.SHIFT
        || !(recurrence instanceof Cron cron)
        || cron.followsRealTime()) {
      return Optional.empty();
    }
    LocalDateTime before = LocalDateTime.ofInstant(instant, last.getOffsetBefore());
    if (!before.isBefore(last.getDateTimeAfter()) || !cron.matches(before)) {
      return Optional.empty();
    }
    Kind kind = cron.matches(local) ? Kind.JOINED : Kind.SHIFTED;
    return Optional.of(new ClockChange(kind, before, last.getDuration()));
  }

  /**
   * When the instant fires: the instant and its share of the jitter.
   *
   * @param seed the trigger; two triggers at the same instant fire apart
   */
  public Instant due(String seed, Instant instant) {
    long range = jitter.toMillis() + 1;
    long hash = mix(instant.getEpochSecond());
    hash = mix(hash ^ instant.getNano());
    for (int i = 0; i < seed.length(); i++) {
      hash = mix(hash ^ seed.charAt(i));
    }
    return instant.plus(Math.unsignedMultiplyHigh(hash, range), ChronoUnit.MILLIS);
  }

  /** SplitMix64: a change of one bit changes half of the bits. */
  private static long mix(long value) {
    long mixed = value + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
