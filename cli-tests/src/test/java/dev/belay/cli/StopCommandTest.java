package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** `belay stop`, on processes that stand in for servers; LiteTest stops a real one. */
class StopCommandTest {

  /** Ends at once, and writes how many signals it got. */
  private static final String POLITE =
      "trap 'echo x >> signals; exit 0' TERM; touch ready; while :; do sleep 0.02; done";

  /** Counts its signals, and ends a second after the first one. */
  private static final String SLOW =
      "trap 'echo x >> signals; late=1' TERM; touch ready; n=0; while [ $n -lt 20 ]; do sleep 0.05;"
          + " [ -z \"$late\" ] || n=$((n + 1)); done";

  private static final String STUBBORN =
      "trap 'echo x >> signals' TERM; touch ready; while :; do sleep 0.02; done";

  @TempDir Path folder;
  private @Nullable Process started;
  private Shell shell = new Shell(Path.of(""));

  @BeforeEach
  void prepare() {
    shell = new Shell(folder);
  }

  @AfterEach
  void end() {
    if (started != null) {
      started.destroyForcibly();
    }
  }

  @Test
  void an_agent_is_asked_once_and_waited_for() throws Exception {
    var process = start(POLITE);
    record("agent-1.json", process.pid(), startOf(process));
    var stop = stop();
    assertThat(stop.status()).as(stop.err()).isZero();
    assertThat(stop.out()).isEqualTo("Stopped agent (process %d).\n".formatted(process.pid()));
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(signals()).isEqualTo(1);
  }

  @Test
  void a_process_that_is_stopping_already_gets_no_second_signal_which_would_end_it_at_once()
      throws Exception {
    var process = start(SLOW);
    record("server-1.json", process.pid(), startOf(process));
    var early = stop("--timeout", "100ms");
    assertThat(early.status()).isEqualTo(1);
    assertThat(early.err()).contains("has not ended after 100ms and is still stopping");
    var again = stop();
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(again.err()).contains("is stopping already");
    assertThat(signals()).isEqualTo(1);
  }

  @Test
  void kill_ends_a_process_that_does_not_end_in_time() throws Exception {
    var process = start(STUBBORN);
    record("lite-1.json", process.pid(), startOf(process));
    var stop = stop("--kill", "--timeout", "100ms", "-o", "json");
    assertThat(stop.status()).as(stop.err()).isZero();
    assertThat(stop.out())
        .contains("\"killed\" : [ \"lite (process %d)\" ]".formatted(process.pid()));
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void another_process_with_the_id_of_a_dead_one_is_left_alone() throws Exception {
    var process = start(POLITE);
    record("lite-1.json", process.pid(), startOf(process).minusSeconds(3600));
    assertThat(stop().out()).startsWith("No Belay process runs in " + folder);
    assertThat(process.isAlive()).isTrue();
  }

  /** Anybody can write to a folder among the temporary files before its user does. */
  @Test
  void a_record_of_one_user_does_not_end_the_process_of_another() throws Exception {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")), "only root can give a file away");
    var process = start(POLITE);
    record("lite-1.json", process.pid(), startOf(process));
    Files.setAttribute(folder.resolve("processes/lite-1.json"), "unix:uid", 65534);
    assertThat(stop("--kill", "--timeout", "100ms").out()).startsWith("No Belay process runs");
    assertThat(process.isAlive()).isTrue();
    assertThat(folder.resolve("signals")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "", "{\"kind\"", "[1]", "{\"kind\": \"lite\", \"pid\": \"x\"}"})
  void a_broken_record_is_named(String content) throws Exception {
    Files.createDirectories(folder.resolve("processes"));
    Files.writeString(folder.resolve("processes/lite-1.json"), content);
    var stop = stop();
    assertThat(stop.status()).isEqualTo(1);
    assertThat(stop.err()).contains("lite-1.json does not describe a process of Belay; remove it");
  }

  @Test
  void a_cluster_has_its_own_command() throws Exception {
    Files.writeString(folder.resolve("cluster.json"), "{}");
    var stop = stop();
    assertThat(stop.status()).isEqualTo(2);
    assertThat(stop.err()).contains("belay cluster down --dir " + folder);
  }

  private Shell.Result stop(String... more) {
    var args = new String[more.length + 3];
    args[0] = "stop";
    args[1] = "--dir";
    args[2] = folder.toString();
    System.arraycopy(more, 0, args, 3, more.length);
    return shell.run(args);
  }

  private Process start(String script) throws IOException {
    var process =
        new ProcessBuilder("/bin/sh", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    started = process;
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Files.exists(folder.resolve("ready")));
    return process;
  }

  private static Instant startOf(Process process) {
    return process.info().startInstant().orElseThrow();
  }

  private void record(String name, long pid, Instant startedAt) throws IOException {
    Files.createDirectories(folder.resolve("processes"));
    Files.writeString(
        folder.resolve("processes").resolve(name),
        "{\"kind\": \"%s\", \"pid\": %d, \"started_at\": \"%s\"}"
            .formatted(name.substring(0, name.indexOf('-')), pid, startedAt));
  }

  private long signals() throws IOException {
    try (var lines = Files.lines(folder.resolve("signals"))) {
      return lines.count();
    }
  }
}
