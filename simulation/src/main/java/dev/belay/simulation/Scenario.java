package dev.belay.simulation;

import dev.belay.simulation.guard.Guards;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What is simulated. With the seed it decides everything.
 *
 * @param faults which kinds of trouble there are
 * @param tasks how many are submitted alone
 * @param runs how many are triggered
 * @param trouble how long things go wrong, before it is calm
 * @param elections another leader is elected so often, beside what else goes wrong; zero means not
 * @param stepsMax the simulation ends there, whatever is unfinished; zero means no limit
 * @param guards those that are there
 */
public record Scenario(
    long seed,
    Set<FaultKind> faults,
    int tasks,
    int runs,
    Duration trouble,
    Duration elections,
    long stepsMax,
    Guards guards) {

  private static final Set<FaultKind> DEAFENING =
      EnumSet.of(
          FaultKind.STORE_FAILS_BEFORE,
          FaultKind.STORE_FAILS_AFTER,
          FaultKind.STORE_SLOW,
          FaultKind.STORE_AWAY,
          FaultKind.SERVER_FROZEN,
          FaultKind.CLOCK_STEP);

  /** Everything may go wrong; what does, and how often, is up to the seed. */
  public static Scenario of(long seed) {
    return new Scenario(
        seed,
        EnumSet.allOf(FaultKind.class),
        24,
        6,
        Duration.ofMinutes(5),
        Duration.ZERO,
        0,
        Guards.ALL);
  }

  public Scenario withGuards(Guards others) {
    return new Scenario(seed, faults, tasks, runs, trouble, elections, stepsMax, others);
  }

  public Scenario withFaults(Set<FaultKind> others) {
    return new Scenario(seed, others, tasks, runs, trouble, elections, stepsMax, guards);
  }

  public Scenario withWork(int someTasks, int someRuns) {
    return new Scenario(seed, faults, someTasks, someRuns, trouble, elections, stepsMax, guards);
  }

  public Scenario withTrouble(Duration time) {
    return new Scenario(seed, faults, tasks, runs, time, elections, stepsMax, guards);
  }

  public Scenario withStepsMax(long steps) {
    return new Scenario(seed, faults, tasks, runs, trouble, elections, steps, guards);
  }

  public Scenario withElections(Duration every) {
    return new Scenario(seed, faults, tasks, runs, trouble, every, stepsMax, guards);
  }

  /** Nobody is deaf for long, and the times in the database are right. */
  boolean isHeardWell() {
    return EnumSet.complementOf(EnumSet.copyOf(DEAFENING)).containsAll(faults);
  }
}
