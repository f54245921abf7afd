package dev.belay.simulation;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.OrderedIds;
import dev.belay.simulation.Coverage.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shared by all parts of one simulation: time, chance, faults, the trace, and the truth. */
final class World {
  /** How often a kind of fault occurs in one world, relative to others. */
  private static final List<Double> FREQUENCIES = List.of(0.3, 1.0, 1.0, 2.0);

  /**
   * Share of worlds without many kinds of faults: under constant faults, slow processes such as
   * giving up a worker never complete.
   */
  private static final double FEW = 0.6;

  private static final double LEFT_OUT = 0.6;

  final Scenario scenario;
  final Scheduler scheduler = new Scheduler();
  final Trace trace;
  final Chance chance;
  final Ids ids;
  final Coverage coverage = new Coverage();
  final Hearing hearing = new Hearing(scheduler);
  final Ledger ledger = new Ledger();
  private final Map<FaultKind, Double> frequency = new EnumMap<>(FaultKind.class);
  private boolean calm;
  private long calmSince;
  private Duration databaseOffset = Duration.ZERO;
  private Duration steppedBack = Duration.ZERO;
  private boolean databaseClockSet;

  World(Scenario scenario, @Nullable Consumer<String> lines) {
    this.scenario = scenario;
    this.trace = new Trace(scheduler, lines);
    var random = new SplittableRandom(scenario.seed());
    this.chance = new Chance(random);
    this.ids = new OrderedIds(scheduler, random);
    boolean few = chance.happens(FEW);
    for (var kind : FaultKind.values()) {
      boolean left = few && !kind.isNoise() && chance.happens(LEFT_OUT);
      frequency.put(kind, left ? 0.0 : chance.oneOf(FREQUENCIES));
    }
  }

  /** Draws only during the trouble, and only for enabled kinds. */
  boolean goesWrong(FaultKind kind, double probability) {
    boolean wrong = mayGoWrong(kind) && chance.happens(probability * frequency(kind));
    if (wrong) {
      trouble(kind);
    }
    return wrong;
  }

  /** Records a fault that occurs now. */
  void trouble(FaultKind kind) {
    coverage.count(Kind.FAULT, kind.name());
  }

  boolean mayGoWrong(FaultKind kind) {
    return !calm && scenario.faults().contains(kind) && frequency(kind) > 0;
  }

  private double frequency(FaultKind kind) {
    return Objects.requireNonNull(frequency.get(kind));
  }

  boolean isCalm() {
    return calm;
  }

  /** When the last fault ended, in nanoseconds since the start. */
  long calmSince() {
    return calmSince;
  }

  /** A fault of this duration, which may last into the calm. */
  Duration lasting(Duration trouble) {
    calmSince = Math.max(calmSince, scheduler.nanos() + trouble.toNanos());
    return trouble;
  }

  void calmDown() {
    calm = true;
    calmSince = Math.max(calmSince, scheduler.nanos());
    trace.say("world", "is calm from now on");
  }

  void after(Duration delay, Runnable action) {
    scheduler.after(delay, action);
  }

  /** Repeats at random times, until the calm. */
  void every(FaultKind kind, Duration mean, Runnable trouble) {
    every(kind, mean, () -> true, trouble);
  }

  /**
   * @param possible whether it can happen now; otherwise the next time may do
   */
  void every(FaultKind kind, Duration mean, BooleanSupplier possible, Runnable trouble) {
    if (!mayGoWrong(kind)) {
      return;
    }
    after(
        chance.about(Duration.ofNanos((long) (mean.toNanos() / frequency(kind)))),
        () -> {
          if (mayGoWrong(kind) && possible.getAsBoolean()) {
            trouble(kind);
            trouble.run();
          }
          every(kind, mean, possible, trouble);
        });
  }

  /** The clock of statements; it is set now and then, the others run evenly. */
  InstantSource databaseClock() {
    return () -> scheduler.instant().plus(databaseOffset);
  }

  void stepDatabaseClock(Duration by) {
    trace.say("world", "the database's clock steps by", by);
    databaseOffset = databaseOffset.plus(by);
    databaseClockSet = true;
    steppedBack = by.isNegative() ? steppedBack.minus(by) : steppedBack;
  }

  /** How much too young a time may look by the database's clock. */
  Duration steppedBack() {
    return steppedBack;
  }

  /** The database's clock was never set so far. */
  boolean hasDatabaseTime() {
    return !databaseClockSet;
  }

  Duration databaseOffset() {
    return databaseOffset;
  }
}
