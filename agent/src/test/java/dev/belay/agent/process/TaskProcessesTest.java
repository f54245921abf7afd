package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Prepared;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TaskProcessesTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path temp;
  private Scene scene;

  @BeforeEach
  void open() throws IOException {
    scene = new Scene(temp.resolve("agent"));
  }

  @AfterEach
  void close() throws IOException {
    scene.close();
  }

  @Test
  void command_runs_and_its_exit_code_is_told() throws Exception {
    assertThat(scene.end(scene.dispatch("true")).outcome()).isEqualTo(new Outcome.Exited(0, 0));
    Ended ended = scene.end(scene.shell("echo first >&2; echo why >&2; exit 3"));
    assertThat(ended.outcome()).isEqualTo(new Outcome.Exited(3, 0));
    assertThat(ended.detail()).isEqualTo("first\nwhy");
    assertThat(ended.startedAt()).isPresent();
    assertThat(ended.toFinished().getExit().getCode()).isEqualTo(3);
  }

  @Test
  void death_by_signal_is_told_as_signal() throws Exception {
    assertThat(scene.end(scene.shell("kill -KILL $$")).outcome())
        .isEqualTo(new Outcome.Exited(137, 9));
  }

  @Test
  void command_does_not_run_before_its_gate_opens() throws Exception {
    Path ran = temp.resolve("ran");
    LatchedProcess latched = scene.prepare(scene.dispatch("touch", ran.toString()));
    awaitAtLatch(latched);
    latched.terminate("not wanted any more", Duration.ofSeconds(5));
    Ended ended = scene.end(latched);
    assertThat(ended.outcome()).isEqualTo(new Outcome.Aborted("not wanted any more"));
    assertThat(ended.startedAt()).isEmpty();
    assertThat(ended.toFinished().getStartedAtMs()).isZero();
    latched.open(Instant.now());
    assertThat(ran).doesNotExist();
  }

  @Test
  void nothing_obeys_the_environment_of_a_task_before_its_gate_opens() throws Exception {
    // With the variable set, the loader writes into this folder, as it would load a library.
    Path told = Files.createDirectory(temp.resolve("told"));
    Dispatch dispatch =
        scene.dispatch("true").toBuilder()
            .putEnv("LD_DEBUG", "files")
            .putEnv("LD_DEBUG_OUTPUT", told.resolve("loader").toString())
            .build();
    LatchedProcess latched = scene.prepare(dispatch);
    awaitAtLatch(latched);
    assertThat(told).isEmptyDirectory();
    latched.open(Instant.now());
    assertThat(scene.end(latched).outcome()).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(told).as("the command itself obeys it").isNotEmptyDirectory();
  }

  @Test
  void process_at_its_gate_is_found_by_its_cookie() throws Exception {
    LatchedProcess latched = scene.prepare(scene.dispatch("true"));
    awaitAtLatch(latched);
    assertThat(Cookies.find((session, dispatch) -> session.equals(scene.session)))
        .containsExactly(latched.pid());
    latched.terminate("not wanted any more", Duration.ZERO);
    scene.end(latched);
  }

  @Test
  void values_of_variables_are_in_no_argument() throws Exception {
    LatchedProcess latched =
        scene.prepare(scene.dispatch("true").toBuilder().putEnv("PASSWORD", "hunter2").build());
    awaitAtLatch(latched);
    String arguments = Proc.text(Path.of("/proc/" + latched.pid() + "/cmdline"));
    assertThat(arguments).contains("true").doesNotContain("hunter2");
    latched.terminate("not wanted any more", Duration.ZERO);
    scene.end(latched);
  }

  @Test
  void gated_process_that_dies_has_failed_to_start() throws Exception {
    LatchedProcess latched = scene.prepare(scene.dispatch("true"));
    Libc.kill(latched.pid(), Libc.SIGKILL);
    assertThat(scene.end(latched).outcome()).isInstanceOf(Outcome.StartFailed.class);
  }

  @Test
  void what_cannot_be_executed_has_failed_to_start() throws Exception {
    Path noInterpreter = executable("#!/no/such/interpreter\n");
    assertThat(startFailure("no-such-command-xyz")).contains("command not found");
    assertThat(startFailure("/no/such/file")).isEqualTo("no such file: /no/such/file");
    assertThat(startFailure("/etc/passwd")).isEqualTo("not executable: /etc/passwd");
    assertThat(startFailure("/etc")).isEqualTo("not a file: /etc");
    assertThat(startFailure(noInterpreter.toString())).contains("not found");
    assertThat(startFailure("echo", "a\0b")).contains("NUL character");
    assertThat(startFailure("echo", "x".repeat(200_000))).contains("Argument list too long");
    assertThat(startFailure()).contains("neither a command nor a script");
    Dispatch badName = scene.blank().addArgv("true").putEnv("A=B", "c").build();
    assertThat(scene.end(badName).outcome()).isInstanceOf(Outcome.StartFailed.class);
  }

  @Test
  void machine_without_room_is_not_the_failure_of_a_task() throws Exception {
    Scene.Memory sink = new Scene.Memory();
    Files.delete(scene.folder.work());
    Prepared noFolder = scene.processes.prepare(scene.dispatch("true"), sink);
    assertThat(noFolder).isInstanceOf(Prepared.NoRoom.class);
    assertThat(sink.closed).isTrue();

    Files.createDirectory(scene.folder.work());
    scene.processes.supervisor().close();
    Prepared noSupervisor = scene.processes.prepare(scene.dispatch("true"), new Scene.Memory());
    assertThat(noSupervisor)
        .isInstanceOfSatisfying(
            Prepared.NoRoom.class, noRoom -> assertThat(noRoom.reason()).contains("supervisor"));
    assertThat(scene.folder.work()).isEmptyDirectory();
    assertThat(scene.processes.live()).isEmpty();
  }

  @Test
  void program_that_exits_with_127_itself_has_exited() throws Exception {
    assertThat(scene.end(scene.shell("no-such-command-xyz")).outcome())
        .isEqualTo(new Outcome.Exited(127, 0));
  }

  @Test
  void script_runs_by_its_interpreter_line_else_by_sh_that_stops_at_errors() throws Exception {
    assertThat(output(scene.blank().setScript("echo a\nfalse\necho b\n"))).isEqualTo("a\n");
    assertThat(output(scene.blank().setScript("#!/bin/cat\nhello"))).isEqualTo("#!/bin/cat\nhello");
    assertThat(output(scene.blank().setScript("#!/usr/bin/env sh\nfalse\necho $((1+1))")))
        .isEqualTo("2\n");
    assertThat(scene.end(scene.blank().setScript("#!/no/interpreter\n").build()).outcome())
        .isEqualTo(new Outcome.StartFailed("no such file: /no/interpreter"));
  }

  @Test
  void task_sees_its_own_environment_and_no_secret_of_the_agent() throws Exception {
    Dispatch dispatch =
        scene.blank().addArgv("env").putEnv("MINE", "1").putEnv("BELAY_FENCE", "999").build();
    String env = output(dispatch.toBuilder());
    assertThat(env.lines())
        .contains(
            "MINE=1",
            "BELAY_FENCE=7",
            "BELAY_ATTEMPT=2",
            "BELAY_TASK_NAME=a-task",
            "BELAY_TASK_ID=" + dispatch.getTaskId(),
            "BELAY_DISPATCH_ID=" + dispatch.getDispatchId(),
            "BELAY_AGENT_SESSION=" + scene.session);
    assertThat(env).doesNotContain("top-secret");
    assertThat(env.lines().map(line -> line.replaceFirst("=.*", "")))
        .allMatch(
            name ->
                (name.startsWith("BELAY_") && !name.startsWith("BELAY_ENV_"))
                    || name.startsWith("LC_")
                    || List.of(
                            "MINE", "PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER", "LOGNAME",
                            "SHELL", "PWD", "OLDPWD", "SHLVL", "_")
                        .contains(name));
  }

  @Test
  void each_dispatch_has_a_private_folder_that_goes_with_it() throws Exception {
    Path noted = temp.resolve("cwd");
    scene.end(scene.shell("pwd > " + noted + "; mkdir -p a/b; touch a/b/c; chmod 0 a; ln -s / r"));
    Path folder = Path.of(Files.readString(noted).strip());
    assertThat(folder.getParent()).isEqualTo(scene.folder.work());
    await().until(() -> !Files.exists(folder));
    assertThat(temp).exists();
  }

  @Test
  void terminate_asks_first() throws Exception {
    Path said = temp.resolve("said");
    LatchedProcess process =
        run("trap 'echo bye > " + said + "; exit 4' TERM; touch %s; while :; do sleep 0.01; done");
    process.terminate("cancelled", LONG);
    process.terminate("too late", Duration.ZERO);
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Aborted("cancelled"));
    assertThat(said).hasContent("bye");
  }

  @Test
  void terminate_ends_what_ignores_it_after_the_grace() throws Exception {
    LatchedProcess process = run("trap '' TERM; touch %s; while :; do sleep 0.05; done");
    process.terminate("cancelled", Duration.ofMillis(300));
    assertThat(scene.end(process, Duration.ofSeconds(4)).outcome())
        .isEqualTo(new Outcome.Aborted("cancelled"));
    assertThat(Proc.alive(process.pid())).isFalse();
  }

  @Test
  void whole_group_has_the_grace_also_when_its_leader_is_gone() throws Exception {
    Path cleaned = temp.resolve("cleaned");
    LatchedProcess process =
        run(
            "(trap 'sleep 1; echo cleaned > "
                + cleaned
                + "; exit 0' TERM; touch %s; while :; do sleep 0.1; done) & wait");
    process.terminate("cancelled", LONG);
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Aborted("cancelled"));
    assertThat(cleaned).hasContent("cleaned");
  }

  @Test
  void rest_of_the_group_that_ignores_terminate_is_gone_after_the_grace() throws Exception {
    Path rest = temp.resolve("rest");
    LatchedProcess process =
        run(
            "env -i sh -c 'trap \"\" TERM; echo $$ > "
                + rest
                + "; touch %s; while :; do sleep 0.1; done' & wait");
    long pid = Proc.pidIn(rest);
    process.terminate("cancelled", Duration.ofSeconds(1));
    await().until(() -> !Proc.alive(process.pid()));
    assertThat(Proc.alive(pid)).as("it has the grace").isTrue();
    scene.end(process, Duration.ofSeconds(4));
    Proc.awaitGone(Duration.ofMillis(500), List.of(pid));
  }

  @Test
  void success_that_came_before_the_reason_stays_a_success() throws Exception {
    Path done = temp.resolve("done");
    // A child holds the output open, so the end is not reported before we try to stop it.
    LatchedProcess process =
        scene.run(scene.shell("setsid sleep 60 & touch " + done), new Scene.Memory());
    await().until(() -> Files.exists(done) && !Proc.alive(process.pid()));
    process.terminate("too late", Duration.ZERO);
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Exited(0, 0));
  }

  @Test
  void execution_timeout_ends_it_as_timed_out() throws Exception {
    Dispatch slow = scene.shell("sleep 60").toBuilder().setExecutionTimeoutMs(200).build();
    assertThat(scene.end(slow).outcome()).isEqualTo(new Outcome.TimedOut(Duration.ofMillis(200)));
  }

  @Test
  void nothing_that_left_the_group_survives_a_stop() throws Exception {
    List<Path> files = new ArrayList<>();
    for (String name : List.of("plain", "session", "twice", "quiet")) {
      files.add(temp.resolve(name));
    }
    LatchedProcess process =
        run(
            """
            trap '' TERM
            sh -c 'trap "" TERM; echo $$ > %1$s/plain; while :; do sleep 1; done' &
            setsid sh -c 'trap "" TERM; echo $$ > %1$s/session; while :; do sleep 1; done' &
            (setsid sh -c 'sh -c "echo \\$\\$ > %1$s/twice; exec sleep 60" &' &) &
            setsid sh -c 'echo $$ > %1$s/quiet; exec sleep 60' >/dev/null 2>&1 &
            touch %%s
            while :; do sleep 1; done
            """
                .formatted(temp));
    List<Long> pids = new ArrayList<>(files.stream().map(Proc::pidIn).toList());
    pids.add(process.pid());
    assertThat(pids).allMatch(Proc::alive);
    process.terminate("cancelled", Duration.ofMillis(100));
    scene.end(process);
    Proc.awaitGone(Duration.ofMillis(500), pids);
  }

  @Test
  void rest_of_the_group_ends_with_its_main_process_even_without_cookie() throws Exception {
    Path rest = temp.resolve("rest");
    Ended ended =
        scene.end(
            scene.shell(
                "env -i sh -c 'echo $$ > "
                    + rest
                    + "; exec sleep 60' >/dev/null 2>&1 & while [ ! -s "
                    + rest
                    + " ]; do sleep 0.01; done; exit 5"));
    assertThat(ended.outcome()).isEqualTo(new Outcome.Exited(5, 0));
    Proc.awaitGone(Duration.ofMillis(500), List.of(Proc.pidIn(rest)));
  }

  @Test
  void daemon_that_keeps_the_output_open_neither_delays_the_end_nor_survives_it() throws Exception {
    Path daemon = temp.resolve("daemon");
    Scene.Memory sink = new Scene.Memory();
    LatchedProcess process =
        scene.run(
            scene.shell(
                "setsid sh -c 'echo $$ > "
                    + daemon
                    + "; while :; do echo noise; done' & "
                    + "while [ ! -s "
                    + daemon
                    + " ]; do sleep 0.01; done; echo done"),
            sink);
    Ended ended = scene.end(process, Duration.ofSeconds(4));
    assertThat(ended.outcome()).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(sink.out()).contains("done");
    assertThat(sink.closed).isTrue();
    Proc.awaitGone(Duration.ofSeconds(2), List.of(Proc.pidIn(daemon)));
  }

  @Test
  void escapee_without_cookie_cannot_hold_the_log_open() throws Exception {
    Path escaped = temp.resolve("escaped");
    LatchedProcess process =
        scene.run(
            scene.shell(
                "env -i setsid sh -c 'echo $$ > "
                    + escaped
                    + "; exec sleep 20' & while [ ! -s "
                    + escaped
                    + " ]; do sleep 0.01; done"),
            new Scene.Memory());
    long pid = Proc.pidIn(escaped);
    try {
      assertThat(scene.end(process, Duration.ofSeconds(4)).outcome())
          .isEqualTo(new Outcome.Exited(0, 0));
    } finally {
      Libc.kill(pid, Libc.SIGKILL);
    }
  }

  @Test
  void task_that_closes_its_pipes_runs_on_and_can_be_stopped() throws Exception {
    LatchedProcess process =
        run("exec >&- 2>&-; trap '' TERM; touch %s; while :; do sleep 1; done");
    assertThat(Proc.alive(process.pid())).isTrue();
    process.terminate("cancelled", Duration.ofMillis(100));
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Aborted("cancelled"));
  }

  @Test
  void endless_line_and_binary_output_arrive_whole() throws Exception {
    Scene.Memory sink = new Scene.Memory();
    LatchedProcess process = scene.run(scene.shell("head -c 20000000 /dev/urandom"), sink);
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(sink.size()).isEqualTo(20_000_000);
  }

  @Test
  void binary_stderr_makes_a_short_valid_detail() throws Exception {
    Ended ended = scene.end(scene.shell("head -c 100000 /dev/urandom >&2; exit 1"));
    assertThat(ended.detail().getBytes(UTF_8).length).isBetween(1, 4096);
    assertThat(ended.toFinished().getSerializedSize()).isPositive();
  }

  @Test
  void many_tasks_that_ignore_terminate_are_gone_soon_after_the_grace() throws Exception {
    List<LatchedProcess> all = new ArrayList<>();
    List<Path> escaped = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Path file = temp.resolve("escaped" + i);
      escaped.add(file);
      Dispatch stubborn =
          scene.shell(
              "trap '' TERM; setsid sh -c 'echo $$ > "
                  + file
                  + "; exec sleep 60' & while :; do sleep 5; done");
      all.add(scene.run(stubborn, new Scene.Memory()));
    }
    List<Long> pids = new ArrayList<>(escaped.stream().map(Proc::pidIn).toList());
    all.forEach(process -> pids.add(process.pid()));
    assertThat(pids).hasSize(80).allMatch(Proc::alive);
    all.forEach(process -> process.terminate("cancelled", Duration.ofSeconds(1)));
    for (LatchedProcess process : all) {
      scene.end(process, Duration.ofSeconds(5));
    }
    Proc.awaitGone(Duration.ofSeconds(1), pids);
  }

  @Test
  void many_groups_that_outlive_their_leaders_are_gone_soon_after_the_grace() throws Exception {
    List<LatchedProcess> all = new ArrayList<>();
    List<Path> rests = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Path file = temp.resolve("rest" + i);
      rests.add(file);
      Dispatch stubborn =
          scene.shell("(trap '' TERM; sh -c 'echo $$ > " + file + "; exec sleep 60') & wait");
      all.add(scene.run(stubborn, new Scene.Memory()));
    }
    List<Long> pids = rests.stream().map(Proc::pidIn).toList();
    all.forEach(process -> process.terminate("cancelled", Duration.ofSeconds(5)));
    Proc.awaitGone(Duration.ofSeconds(8), pids);
    for (LatchedProcess process : all) {
      assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Aborted("cancelled"));
    }
  }

  @Test
  void leftovers_of_an_earlier_session_are_ended_by_their_cookie() throws Exception {
    LatchedProcess process = run("touch %s; exec sleep 60");
    assertThat(TaskProcesses.killLeftovers(Set.of(), ProcessSettings.defaults())).isZero();
    int killed = TaskProcesses.killLeftovers(Set.of(scene.session), ProcessSettings.defaults());
    assertThat(killed).isEqualTo(1);
    assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Exited(137, 9));
  }

  /** Runs a shell text whose %s is a file that it creates when it is ready. */
  private LatchedProcess run(String text) {
    Path ready = temp.resolve("ready");
    LatchedProcess process = scene.run(scene.shell(text.formatted(ready)), new Scene.Memory());
    await().until(() -> Files.exists(ready));
    return process;
  }

  /** Asleep as the latch's shell: without a latch it would be the command, or have ended. */
  private static void awaitAtLatch(LatchedProcess latched) {
    Path stat = Path.of("/proc/" + latched.pid() + "/stat");
    await().until(() -> Proc.text(stat).contains(" (sh) S "));
  }

  private String output(Dispatch.Builder dispatch) throws Exception {
    Scene.Memory sink = new Scene.Memory();
    scene.end(scene.run(dispatch.build(), sink));
    return sink.out();
  }

  private String startFailure(String... argv) throws Exception {
    Ended ended = scene.end(scene.dispatch(argv));
    assertThat(ended.outcome()).isInstanceOf(Outcome.StartFailed.class);
    return ((Outcome.StartFailed) ended.outcome()).message();
  }

  private Path executable(String text) throws IOException {
    Path file = temp.resolve("program");
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }
}
