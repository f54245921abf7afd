package dev.belay.simulation;

import dev.belay.simulation.guard.Guards;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * A scenario. Together with the seed it decides everything.
 *
 * @param faults enabled kinds of faults
 * @param tasks how many are submitted alone
 * @param runs how many are triggered
 * @param trouble how long faults occur before the calm
 * @param elections interval of extra elections, besides other faults; zero means none
 * @param stepsMax ends the simulation even if work is unfinished; zero means no limit
 * @param guards those in place
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

  /** Enables all faults; the seed decides which occur, and how often. */
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

  public Scenario withSeed(long other) {
    return new Scenario(other, faults, tasks, runs, trouble, elections, stepsMax, guards);
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

  /** In one world of five, ends of runs start runs of other workflows. */
  boolean hasChains() {
    return Math.floorMod(seed, 5) == 0;
  }

  /** In two worlds of seven, workflows have timed triggers. */
  boolean hasSchedules() {
    return runs > 0 && (Math.floorMod(seed, 7) == 0 || Math.floorMod(seed, 7) == 5);
  }

  /** In three worlds of eleven, people start backfills. */
  boolean hasBackfills() {
    long world = Math.floorMod(seed, 11);
    return runs > 0 && (world == 4 || world == 9 || world == 10);
  }

  /** In one world of four, the leader takes the workers of a pool for gone, and gives tasks up. */
  boolean givesUp() {
    return Math.floorMod(seed, 4) == 1;
  }

  /** In one world of three, people limit pools, tenants, workflows, keys and rates. */
  boolean hasLimits() {
    return Math.floorMod(seed, 3) == 1;
  }

  /** There is no long outage, and the times in the database are right. */
  boolean isHeardWell() {
    return EnumSet.complementOf(EnumSet.copyOf(DEAFENING)).containsAll(faults);
  }
}
