package dev.belay.simulation.sqlguard;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A JVM that runs the race tests on PostgreSQL once, and says which failed. */
final class RaceRun {

  static final int MISSED = 3;

  private static final String TESTS = "dev.belay.simulation.contract.PostgresContractTest";

  private RaceRun() {}

  private static DiscoverySelector races(String nested) {
    return selectNestedClass(List.of(TESTS), TESTS + "$" + nested);
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
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                races("ResultRaces"),
                races("ClaimRaces"),
                races("AttemptRaces"),
                races("RunRaces"),
                races("TimerRaces"),
                races("DeadLetterRaces"),
                races("PromiseRaces"),
                races("TerminateRaces"),
                races("SteerRaces"),
                races("BackfillRaces"),
                races("ScheduleRaces"))
            .build();
    LauncherFactory.create().execute(request, listener);
    System.out.println("race tests: " + passed[0] + " passed, failed: " + failed);
    System.exit(passed[0] + failed.size() == 0 ? 1 : failed.isEmpty() ? 0 : MISSED);
  }
}
