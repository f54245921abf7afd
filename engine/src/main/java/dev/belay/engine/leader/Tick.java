package dev.belay.engine.leader;

import dev.belay.engine.EngineSettings;
import dev.belay.engine.admit.DueTasks;
import dev.belay.engine.admit.DueTasks.Promoted;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.loop.Budget;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Quiet;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of the leader: plan changed runs, admit due tasks, dispatch eligible ones, until nothing
 * is left. A failed phase does not skip the next. A phase that used up its budget yields and
 * continues in the next round.
 */
public final class Tick {

  private static final Logger log = LoggerFactory.getLogger(Tick.class);
  private static final Duration DUE_MIN = Duration.ofMillis(1);

  /** Phase names in the timing metrics. */
  public static final List<String> PHASES = List.of("look", "plan", "promote", "dispatch");

  private final Phases phases;
  private final EngineSettings settings;
  private final LeaderSettings limits;
  private final LongSupplier ticker;
  private final Meters meters;
  private final FailureLog trouble = new FailureLog(log, "phase failed, the next goes on");
  private boolean failed;

  /** The last turn was idle, so one cheap look decides whether this one is too. */
  private boolean quiet;

  public record Phases(PlanPhase plan, DueTasks due, DispatchPhase dispatch, DispatchStore looks) {}

  /**
   * @param sleep until the next full turn
   * @param dispatchIn until the next turn that may only dispatch, if it is sooner
   */
  public record Turn(Duration sleep, Duration dispatchIn, boolean failed) {}

  /**
   * @param ticker monotonic nanoseconds
   */
  public Tick(
      Phases phases,
      EngineSettings settings,
      LeaderSettings limits,
      LongSupplier ticker,
      Meters meters) {
    this.phases = phases;
    this.settings = settings;
    this.limits = limits;
    this.ticker = ticker;
    this.meters = meters;
  }

  /**
   * @return how long the leader may sleep without a wake-up, and whether a phase failed
   */
  public Turn runOnce(Epoch epoch) {
    long begun = ticker.getAsLong();
    failed = false;
    Duration sleep = rounds(epoch, Budget.of(limits.tickBudget(), ticker));
    meters.ticked(Duration.ofNanos(ticker.getAsLong() - begun));
    if (!failed) {
      trouble.over();
    }
    return new Turn(sleep, dispatchIn(), failed);
  }

  /** A turn for when no run changed, but a task became eligible or a slot free. */
  public Turn dispatch(Epoch epoch) {
    long begun = ticker.getAsLong();
    failed = false;
    phase("dispatch", 0, () -> phases.dispatch().runOnce(epoch));
    meters.ticked(Duration.ofNanos(ticker.getAsLong() - begun));
    return new Turn(limits.tick(), dispatchIn(), failed);
  }

  /** A phase that failed does not know when; the next full turn tries again. */
  private Duration dispatchIn() {
    return failed ? limits.tick() : sleep(phases.dispatch().nextDue());
  }

  private Duration rounds(Epoch epoch, Budget tick) {
    if (quiet) {
      Optional<Quiet> still = phase("look", Optional.empty(), () -> phases.looks().lookQuiet());
      if (still.isPresent()) {
        return sleep(still.get().nextDue());
      }
    }
    for (int round = 0; round < settings.roundsMax() && !tick.isSpent(); round++) {
      Budget budget = Budget.of(limits.phaseBudget(), ticker);
      int planned =
          phase("plan", 0, () -> phases.plan().runOnce(epoch, settings.marksMax(), budget));
      Promoted promoted =
          phase(
              "promote",
              Promoted.none(Optional.empty()),
              () -> phases.due().promote(epoch, settings.duesMax()));
      phases.dispatch().ready(phases.plan().drainQueues());
      phases.dispatch().ready(promoted.queues());
      int offered = phase("dispatch", 0, () -> phases.dispatch().runOnce(epoch));
      quiet = planned + promoted.count() + offered == 0;
      // The end of a wait marks its run, and the next tasks shall start now.
      if (planned < settings.marksMax()
          && promoted.count() < settings.duesMax()
          && !promoted.marked()) {
        return sleep(promoted.nextDue());
      }
    }
    return Duration.ZERO;
  }

  private Duration sleep(Optional<Duration> nextDue) {
    Duration due = nextDue.orElse(limits.tick());
    if (due.compareTo(DUE_MIN) < 0) {
      due = DUE_MIN;
    }
    return due.compareTo(limits.tick()) < 0 ? due : limits.tick();
  }

  private <T> T phase(String name, T whenFailed, Supplier<T> work) {
    long begun = ticker.getAsLong();
    boolean done = false;
    try {
      T answer = work.get();
      done = true;
      return answer;
    } catch (Deposed deposed) {
      done = true;
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError thrown) {
      trouble.met(thrown, event -> event.addKeyValue("phase", name));
      return whenFailed;
    } finally {
      failed |= !done;
      meters.phaseDone(name, Duration.ofNanos(ticker.getAsLong() - begun), !done);
    }
  }
}
