package dev.belay.domain.system;

import dev.belay.domain.system.Tenant.SubmitRate;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant has submitted, as far as its limits need it. Counting all waiting tasks is costly,
 * so each submit adds to the last count: tasks that started since make it too high, never too low,
 * and it is counted again before a submit is refused.
 *
 * @param waiting no more tasks wait, those aside that runs got since the last count
 * @param tokens how many may be submitted at {@code filledAt}
 */
public record IntakeCount(long waiting, Instant countedAt, double tokens, Instant filledAt) {

  /** A full tenant is counted once in this time, however often it submits. */
  public static final Duration COUNT_AGE_MIN = Duration.ofSeconds(1);

  /** After this time the tasks of runs are noticed. */
  public static final Duration COUNT_AGE_MAX = Duration.ofSeconds(10);

  /** Which limit refuses a submit. */
  public enum Limit {
    MAX_WAITING,
    SUBMIT_RATE
  }

  /** Whether a submit is accepted. */
  public sealed interface Verdict {
    record Accepted(IntakeCount next) implements Verdict {}

    /** Only a count decides. */
    record MustCount() implements Verdict {}

    /**
     * @param retryAfter null when it is too large for the limit, however long the caller waits
     */
    record Refused(Limit limit, @Nullable Duration retryAfter) implements Verdict {}
  }

  /** After a count, which found this many waiting tasks. */
  public IntakeCount counted(long found, Instant now) {
    return new IntakeCount(found, now, tokens, filledAt);
  }

  /** After so many of the waiting tasks were ended. */
  public IntakeCount without(int freed) {
    return new IntakeCount(Math.max(0, waiting - freed), countedAt, tokens, filledAt);
  }

  /** A full tenant may be counted again. */
  public boolean isOld(Instant now) {
    return Duration.between(countedAt, now).compareTo(COUNT_AGE_MIN) >= 0;
  }

  /** For a submit of this many tasks, or runs. */
  public Verdict submit(Tenant tenant, int size, Instant now) {
    SubmitRate rate = tenant.submitRate();
    Integer maxWaiting = tenant.maxWaiting();
    if (rate != null && size > rate.max()) {
      return new Verdict.Refused(Limit.SUBMIT_RATE, null);
    }
    if (maxWaiting != null && size > maxWaiting) {
      return new Verdict.Refused(Limit.MAX_WAITING, null);
    }
    double full = rate == null ? tokens : filled(rate, now);
    if (rate != null && full < size) {
      double millis = (size - full) * rate.per().toMillis() / rate.max();
      return new Verdict.Refused(
          Limit.SUBMIT_RATE, Duration.ofMillis(Math.max(1, (long) Math.ceil(millis))));
    }
    if (maxWaiting != null) {
      Duration age = Duration.between(countedAt, now);
      boolean room = waiting + size <= maxWaiting;
      if (age.compareTo(room ? COUNT_AGE_MAX : COUNT_AGE_MIN) >= 0) {
        return new Verdict.MustCount();
      }
      if (!room) {
        return new Verdict.Refused(Limit.MAX_WAITING, COUNT_AGE_MIN);
      }
    }
    // A clock that steps back fills nothing twice.
    Instant later = now.isAfter(filledAt) ? now : filledAt;
    return new Verdict.Accepted(
        new IntakeCount(waiting + size, countedAt, rate == null ? tokens : full - size, later));
  }

  private double filled(SubmitRate rate, Instant now) {
    double millis = Math.max(0, Duration.between(filledAt, now).toMillis());
    return Math.min(rate.max(), tokens + millis * rate.max() / rate.per().toMillis());
  }
}
