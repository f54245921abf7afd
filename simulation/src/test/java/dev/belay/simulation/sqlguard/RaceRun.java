package dev.belay.simulation.sqlguard;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A JVM that runs the race tests on PostgreSQL once, and says which failed: all of them, or those
 * about the statements of a folder.
 */
final class RaceRun {

  static final int MISSED = 3;

  private static final String TESTS = "dev.belay.simulation.contract.PostgresContractTest";

  private static final Map<String, List<String>> BY_FOLDER =
      Map.ofEntries(
          Map.entry("admit", List.of("TimerRaces")),
          Map.entry("backfill", List.of("BackfillRaces")),
          Map.entry("deadletter", List.of("DeadLetterRaces")),
          Map.entry("dispatch", List.of("ClaimRaces", "AttemptRaces")),
          Map.entry("leader", List.of("ClaimRaces")),
          Map.entry("limit", List.of("LimitRaces")),
          Map.entry(
              "plan",
              List.of("RunRaces", "TerminateRaces", "SteerRaces", "PromiseRaces", "AttemptRaces")),
          Map.entry("promise", List.of("PromiseRaces")),
          Map.entry("reap", List.of("AttemptRaces", "ClaimRaces")),
          Map.entry("result", List.of("ResultRaces", "AttemptRaces")),
          Map.entry("runqueue", List.of("RunRaces", "BackfillRaces")),
          Map.entry("schedule", List.of("ScheduleRaces")),
          Map.entry("steer", List.of("SteerRaces", "TerminateRaces", "RunRaces")),
          Map.entry("worker", List.of("ResultRaces", "ClaimRaces")));

  private RaceRun() {}

  private static List<DiscoverySelector> races(List<String> folders) {
    Collection<List<String>> lists =
        folders.isEmpty() ? BY_FOLDER.values() : folders.stream().map(BY_FOLDER::get).toList();
    return lists.stream()
        .flatMap(List::stream)
        .distinct()
        .map(nested -> selectNestedClass(List.of(TESTS), TESTS + "$" + nested))
        .map(DiscoverySelector.class::cast)
        .toList();
  }

  public static void main(String[] args) {
    List<String> failed = new ArrayList<>();
    int[] passed = {0};
    var listener =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
              failed.add(test.getDisplayName());
            } else if (test.isTest()) {
              passed[0]++;
            }
          }
        };
    var request = LauncherDiscoveryRequestBuilder.request().selectors(races(List.of(args))).build();
    LauncherFactory.create().execute(request, listener);
    System.out.println("race tests: " + passed[0] + " passed, failed: " + failed);
    System.exit(passed[0] + failed.size() == 0 ? 1 : failed.isEmpty() ? 0 : MISSED);
  }
}
