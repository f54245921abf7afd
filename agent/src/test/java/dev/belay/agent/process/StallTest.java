package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that fall silent, and how long they have when they are stopped. */
@Timeout(60)
class StallTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Outcome STALLED = new Outcome.Stalled(Duration.ofSeconds(1));
  private static final String DEAF = "trap '' TERM; touch %s; while :; do sleep 0.05; done";

  @TempDir Path temp;

  private Scene scene;

  @BeforeEach
  void start() throws IOException {
    scene = new Scene(temp.resolve("agent"));
  }

  @AfterEach
  void stop() throws IOException {
    scene.close();
  }

  @Test
  void silent_process_is_stopped_with_its_whole_group() throws Exception {
    Path child = temp.resolve("child");
    Dispatch silent = watched("echo begun; sleep 300 & echo $! > " + child + "; wait");
    long from = System.nanoTime();
    LatchedProcess process = scene.run(silent, new Scene.Memory());
    assertThat(scene.end(process).outcome()).isEqualTo(STALLED);
    assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(Proc.alive(process.pid())).isFalse();
    Proc.awaitGone(Duration.ofMillis(500), List.of(Proc.pidIn(child)));
  }

  @Test
  void output_on_either_stream_keeps_it_alive() throws Exception {
    Dispatch talks =
        watched("for i in 1 2 3; do sleep 0.5; echo out; sleep 0.5; echo err >&2; done; exit 3");
    assertThat(scene.end(talks).outcome()).isEqualTo(new Outcome.Exited(3, 0));
  }

  @Test
  void output_that_the_log_cannot_take_keeps_it_alive() throws Exception {
    Dispatch talks = watched("for i in 1 2 3 4 5; do sleep 0.5; echo out; done; exit 3");
    assertThat(scene.end(scene.run(talks, new FullLog())).outcome())
        .isEqualTo(new Outcome.Exited(3, 0));
  }

  @Test
  void process_that_sends_its_output_elsewhere_is_silent() throws Exception {
    Dispatch elsewhere =
        watched("exec >/dev/null 2>&1; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.5; echo x; done");
    assertThat(scene.end(elsewhere).outcome()).isEqualTo(STALLED);
  }

  @Test
  void waiting_at_the_latch_is_not_silence() throws Exception {
    LatchedProcess latched = scene.prepare(watched("echo x"));
    await().pollDelay(Duration.ofMillis(1_600)).until(() -> Proc.alive(latched.pid()));
    latched.open(java.time.Instant.now());
    assertThat(scene.end(latched).outcome()).isEqualTo(new Outcome.Exited(0, 0));
  }

  @Test
  void reason_that_came_before_the_stall_stays() throws Exception {
    LatchedProcess process =
        run(watched(DEAF.formatted(ready())).toBuilder().setStopGraceMs(2_000).build());
    process.terminate("cancelled", Duration.ZERO);
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Aborted("cancelled"));
  }

  @Test
  void grace_of_the_dispatch_counts_more_than_that_of_the_stop() throws Exception {
    Path said = temp.resolve("said");
    String cleans =
        "trap 'sleep 0.7; echo bye > %s; exit 4' TERM; touch %s; while :; do sleep 0.01; done"
            .formatted(said, ready());
    LatchedProcess patient = run(graced(cleans, LONG));
    patient.terminate("cancelled", Duration.ZERO);
    scene.end(patient);
    assertThat(said).hasContent("bye");

    LatchedProcess hasty = run(graced(DEAF.formatted(ready()), Duration.ofMillis(100)));
    hasty.terminate("cancelled", LONG);
    assertThat(scene.end(hasty, Duration.ofSeconds(4)).outcome())
        .isEqualTo(new Outcome.Aborted("cancelled"));
  }

  @Test
  void grace_of_the_dispatch_holds_at_its_timeout_too() throws Exception {
    Dispatch deaf =
        graced(DEAF.formatted(ready()), Duration.ZERO).toBuilder()
            .setExecutionTimeoutMs(300)
            .build();
    assertThat(scene.end(scene.run(deaf, new Scene.Memory()), Duration.ofSeconds(4)).outcome())
        .isEqualTo(new Outcome.TimedOut(Duration.ofMillis(300)));
  }

  @Test
  void end_of_the_agent_cuts_a_grace_short_and_keeps_its_reason() throws Exception {
    LatchedProcess process = run(graced(DEAF.formatted(ready()), Duration.ofHours(1)));
    process.terminate("graceful_shutdown", Duration.ZERO);
    scene.processes.close();
    assertThat(scene.end(process, Duration.ZERO).outcome())
        .isEqualTo(new Outcome.Aborted("graceful_shutdown"));
  }

  private Dispatch watched(String script) {
    return scene.shell(script).toBuilder().setStallTimeoutMs(1_000).build();
  }

  private Dispatch graced(String script, Duration grace) {
    return scene.shell(script).toBuilder().setStopGraceMs(grace.toMillis()).build();
  }

  private Path ready() {
    return temp.resolve("ready");
  }

  /** Its script touches the file when it is ready. */
  private LatchedProcess run(Dispatch dispatch) throws IOException {
    Files.deleteIfExists(ready());
    LatchedProcess process = scene.run(dispatch, new Scene.Memory());
    await().until(() -> Files.exists(ready()));
    return process;
  }

  /** As on a full disk. */
  private static final class FullLog implements LogSink {
    @Override
    public void write(Stream stream, byte[] data, int length) {
      throw new IllegalStateException("disk full");
    }

    @Override
    public void quiet() {}

    @Override
    public void close() {}
  }
}
