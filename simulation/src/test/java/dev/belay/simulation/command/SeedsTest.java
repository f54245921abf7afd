package dev.belay.simulation.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import dev.belay.simulation.wiring.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The real simulation, as often as a build can bear; the proofs run more seeds, and see that
 * everything occurred.
 */
class SeedsTest {
  private static final int SEEDS = Integer.getInteger("belay.simulation.seeds", 200);
  private static final SeedRange FEW = new SeedRange(1, 12);

  private final Simulator simulator = new RealSimulator();

  @Test
  void whatever_breaks_on_the_way_all_work_comes_to_one_true_end() throws InterruptedException {
    var summary = run(new SeedRange(1, SEEDS), 2);
    assertThat(summary.failures()).extracting(SeedsTest::told).isEmpty();
    assertThat(Demands.complaints(summary, simulator)).isEmpty();
  }

  @Test
  void a_seed_decides_everything_whichever_thread_runs_it() throws InterruptedException {
    var once = run(FEW, 1).traceHash();
    assertThat(run(FEW, 3).traceHash()).isEqualTo(once);
    assertThat(run(new SeedRange(2, 13), 1).traceHash()).isNotEqualTo(once);
  }

  @Test
  void to_be_watched_changes_nothing() {
    var lines = new ArrayList<String>();
    var watched = simulator.trace(Scenario.of(3), lines::add);
    assertThat(watched.traceHash()).isEqualTo(simulator.run(Scenario.of(3)).traceHash());
    assertThat(lines.size()).isGreaterThan(300);
  }

  /** Another process has other identity hashes and another order of small sets. */
  @Test
  void a_seed_decides_everything_in_any_process() throws IOException, InterruptedException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:hashCode=2",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Duser.language=ar",
            "-Duser.timezone=Asia/Kolkata",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--seeds",
            FEW.from() + ".." + FEW.to(),
            "--keep-going",
            "--no-shrink",
            "-o",
            "json");
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    var answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    assertThat(new JsonMapper().readTree(answer).path("trace_hash").asText())
        .isEqualTo(run(FEW, 1).traceHash());
  }

  private Summary run(SeedRange seeds, int threads) throws InterruptedException {
    var summary = new Summary();
    new Runner(simulator, threads, System::nanoTime)
        .run(
            seeds,
            Duration.ofHours(1),
            Scenario::of,
            result -> {
              summary.add(result);
              return true;
            });
    return summary;
  }

  private static String told(Result failed) {
    return failed.failure().orElseThrow().message() + "; " + Replay.command(failed.scenario());
  }
}
