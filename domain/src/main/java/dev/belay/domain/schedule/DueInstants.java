package dev.belay.domain.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides the instants of one trigger that are due. Total and pure: the same cursor, clock and
 * trigger always give the same rows of the ledger.
 */
public final class DueInstants {

  public static final String PAUSED = "paused";
  public static final String TRIGGER_PAUSED = "trigger_paused";
  public static final String OVERLAP = "overlap";
  private static final String MISSED = "missed";
  private static final Duration FIRST_LOOK_BACK = Duration.ofMinutes(2);

  /** Bounds the search when a calendar excludes nearly everything. */
  private static final int LOOK_BACK_MAX = 20_000;

  /**
   * A trigger as far as its instants matter.
   *
   * @param seed for its jitter
   * @param until no instant after it is this trigger's; null means no end
   * @param calendar the calendar of the timing; null when it names none
   * @param pausedFor {@link #PAUSED} or {@link #TRIGGER_PAUSED}; null when it is not paused
   */
  public record Subject(
      String seed,
      Timing timing,
      Missed missed,
      @Nullable Instant until,
      @Nullable DayCalendar calendar,
      @Nullable String pausedFor) {}

  /**
   * The fate of an instant.
   *
   * @param due the instant with its jitter
   * @param reason why it was skipped, or fires late: {@code resumed}; else null
   * @param into the instant that fires for it, else null
   */
  public record Decision(
      Instant at, Instant due, Outcome outcome, @Nullable String reason, @Nullable Instant into) {}

  public enum Outcome {
    FIRED,
    SKIPPED,
    COALESCED
  }

  /**
   * @param decisions in order, at most as many as asked for
   * @param next the first instant that is not decided; null when there is none
   * @param nextDue when to look again; null when there is nothing left
   */
  public record Decided(
      List<Decision> decisions, @Nullable Instant next, @Nullable Instant nextDue) {
    public Decided {
      decisions = List.copyOf(decisions);
    }
  }

  private final Subject subject;
  private final Instant now;

  private DueInstants(Subject subject, Instant now) {
    this.subject = subject;
    this.now = now;
  }

  /**
   * @param next the first instant that is not decided yet
   * @param max decides no more than this many now; the rest stays due
   */
  public static Decided decide(Subject subject, Instant next, Instant now, int max) {
    return new DueInstants(subject, now).decide(next, max);
  }

  private Decided decide(Instant next, int max) {
    List<Instant> due = new ArrayList<>();
    Instant at = next;
    while (at != null && due.size() < max && isDue(at)) {
      due.add(at);
      at = subject.timing.next(at).orElse(null);
    }
    boolean more = at != null && isDue(at);
    List<Decision> decisions = decideAll(due, more);
    Instant left = at == null || isAfterEnd(at) ? null : at;
    return new Decided(decisions, at, left == null ? null : subject.timing.due(subject.seed, left));
  }

  private boolean isDue(Instant at) {
    return !isAfterEnd(at) && !subject.timing.due(subject.seed, at).isAfter(now);
  }

  private boolean isAfterEnd(Instant at) {
    return subject.until != null && at.isAfter(subject.until);
  }

  private List<Decision> decideAll(List<Instant> due, boolean more) {
    List<Decision> decisions = new ArrayList<>();
    if (due.isEmpty()) {
      return decisions;
    }
    Instant oldest = due.getFirst();
    boolean anyMissed = subject.pausedFor == null && due.stream().anyMatch(this::isMissed);
    List<Instant> candidates = anyMissed ? newest(oldest, more ? null : due) : List.of();
    Set<Instant> firing = anyMissed ? new HashSet<>(candidates) : Set.of();
    Instant into = candidates.isEmpty() ? null : candidates.getLast();
    for (Instant at : due) {
      decisions.add(decide(at, firing, into));
    }
    return decisions;
  }

  private Decision decide(Instant at, Set<Instant> firing, @Nullable Instant into) {
    if (subject.pausedFor != null) {
      return skipped(at, subject.pausedFor);
    }
    if (isExcluded(at)) {
      return skipped(at, "calendar: " + subject.timing.calendar());
    }
    if (!isMissed(at) || firing.contains(at)) {
      return new Decision(at, due(at), Outcome.FIRED, null, null);
    }
    if (isTooOld(at) || into == null || !at.isBefore(into)) {
      return skipped(at, MISSED);
    }
    return switch (subject.missed.policy()) {
      case SKIP, FIRE_ALL -> skipped(at, MISSED);
      case FIRE_ONCE -> new Decision(at, due(at), Outcome.COALESCED, null, into);
    };
  }

  private Decision skipped(Instant at, String reason) {
    return new Decision(at, due(at), Outcome.SKIPPED, reason, null);
  }

  private Instant due(Instant at) {
    return subject.timing.due(subject.seed, at);
  }

  private boolean isMissed(Instant at) {
    return due(at).isBefore(now.minus(subject.missed.after()));
  }

  private boolean isTooOld(Instant at) {
    return at.isBefore(now.minus(subject.missed.age()));
  }

  private boolean isExcluded(Instant at) {
    DayCalendar calendar = subject.calendar;
    return calendar != null && calendar.excludes(LocalDate.ofInstant(at, subject.timing.zone()));
  }

  /**
   * The newest due instants that fire although they, or earlier ones, were missed; in order.
   *
   * @param all every due instant; null when there are more than the caller has
   */
  private List<Instant> newest(Instant oldest, @Nullable List<Instant> all) {
    int max =
        switch (subject.missed.policy()) {
          case SKIP -> 0;
          case FIRE_ONCE -> 1;
          case FIRE_ALL -> subject.missed.max();
        };
    if (max == 0) {
      return List.of();
    }
    List<Instant> due = all == null ? lookBack(oldest, max) : all;
    List<Instant> fit = due.stream().filter(at -> !isExcluded(at) && !isTooOld(at)).toList();
    return fit.subList(Math.max(0, fit.size() - max), fit.size());
  }

  /** At least the newest {@code max} instants that fit, without a walk through all of them. */
  private List<Instant> lookBack(Instant oldest, int max) {
    // Every instant before is due: with its jitter, an earlier one may be due after a later one.
    Instant sure = now.minus(subject.timing.jitter());
    Instant end = subject.until != null && subject.until.isBefore(sure) ? subject.until : sure;
    Duration back = FIRST_LOOK_BACK;
    while (true) {
      Instant from = end.minus(back);
      boolean whole = !from.isAfter(oldest);
      List<Instant> found = between(whole ? oldest.minusNanos(1) : from);
      long fit = found.stream().filter(at -> !isExcluded(at)).count();
      if (whole || fit >= max || isTooOld(from) || found.size() > LOOK_BACK_MAX) {
        return found;
      }
      back = back.multipliedBy(4);
    }
  }

  private List<Instant> between(Instant after) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> at = subject.timing.next(after);
    while (at.isPresent() && isDue(at.get())) {
      found.add(at.get());
      at = subject.timing.next(at.get());
    }
    return found;
  }

  /**
   * Decides again what was skipped while the trigger was paused, as missed instants.
   *
   * @param skipped in order
   * @return the changed ones
   */
  public static List<Decision> replay(Subject subject, List<Instant> skipped, Instant now) {
    var decides = new DueInstants(subject, now);
    if (skipped.isEmpty()) {
      return List.of();
    }
    List<Instant> candidates = decides.newest(skipped.getFirst(), skipped);
    if (candidates.isEmpty()) {
      return List.of();
    }
    Set<Instant> firing = new HashSet<>(candidates);
    List<Decision> changed = new ArrayList<>();
    for (Instant at : skipped) {
      if (firing.contains(at)) {
        changed.add(new Decision(at, decides.due(at), Outcome.FIRED, null, null));
      } else if (subject.missed.policy() == Missed.Policy.FIRE_ONCE
          && !decides.isTooOld(at)
          && !decides.isExcluded(at)
          && at.isBefore(candidates.getLast())) {
        changed.add(
            new Decision(at, decides.due(at), Outcome.COALESCED, null, candidates.getLast()));
      }
    }
    return changed;
  }
}
