package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The behaviour that users may rely on in every edition. Real processes, used through the command
 * line; one of each edition serves all scenarios, and each scenario leaves it running.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EditionContract {

  private final JsonMapper json = new JsonMapper();
  private Path home = Path.of("");
  private Shell shell = new Shell(home);

  /** Sets the variables with which the shell finds the edition. */
  abstract void start(Path home, Shell shell) throws Exception;

  /** Kills it with -9 and restarts it at once, in its folder. */
  abstract void killWorker() throws Exception;

  /** Kills the leading server with -9 and restarts it at once. */
  abstract void killServer() throws Exception;

  abstract void stop() throws Exception;

  @BeforeAll
  final void begin(@TempDir Path folder) throws Exception {
    home = folder;
    shell = new Shell(home);
    start(home, shell);
  }

  @AfterAll
  final void end() throws Exception {
    stop();
  }

  @Test
  void submitted_task_runs_and_tells_its_story() {
    var submitted = shell.run("submit", "--wait", "--", "/bin/echo", "hi");
    assertThat(submitted.status()).as(submitted.err()).isZero();
    assertThat(submitted.out() + submitted.err()).contains(" hi\n").contains("SUCCEEDED after");
    assertThat(shell.run("task", submitted.out().lines().findFirst().orElseThrow()).out())
        .contains("SCHEDULED", "DISPATCHED", "did its work: it ended with exit code 0");
  }

  @Test
  void task_of_a_workflow_starts_after_those_that_it_depends_on() throws Exception {
    var marks = home.resolve("order");
    var run =
        trigger(
            """
            name: order
            tasks:
              - {name: last, command: [sh, -c, "echo last >> %1$s"], depends_on: [middle]}
              - {name: middle, command: [sh, -c, "echo middle >> %1$s"], depends_on: [first]}
              - {name: first, command: [sh, -c, "echo first >> %1$s"]}
            """
                .formatted(marks));
    awaitState(run, "SUCCEEDED");
    assertThat(Files.readAllLines(marks)).containsExactly("first", "middle", "last");
  }

  @Test
  void failure_fails_the_run_and_what_depends_on_it() throws Exception {
    var run =
        trigger(
            """
            name: fails
            tasks:
              - {name: bad, command: [sh, -c, "exit 3"]}
              - {name: after, command: ["true"], depends_on: [bad]}
              - {name: beside, command: ["true"]}
            """);
    awaitState(run, "FAILED");
    assertThat(shell.run("show", run).out())
        .containsPattern("bad +FAILED")
        .containsPattern("after +UPSTREAM_FAILED")
        .containsPattern("beside +SUCCEEDED");
  }

  @Test
  void task_that_fails_is_tried_again() throws Exception {
    var run =
        trigger(
            """
            name: flaky
            tasks:
              - name: flaky
                command: [sh, -c, "exit $((BELAY_ATTEMPT < 2))"]
                retry: {max: 2, backoff: {initial: 10ms, jitter: false}}
            """);
    awaitState(run, "SUCCEEDED");
    var task = show(onlyTask(run));
    assertThat(task.path("attempts").findValuesAsText("exit_code")).containsExactly("1", "0");
    assertThat(task.path("history").findValuesAsText("to"))
        .containsSubsequence("RUNNING", "PENDING", "SCHEDULED", "DISPATCHED", "SUCCEEDED");
  }

  @Test
  void task_whose_needs_are_unavailable_waits_for_a_person_and_keeps_its_run_open()
      throws Exception {
    var run =
        trigger(
            """
            name: scarce
            tasks:
              - name: fetch
                command: [sh, -c, "exit $((BELAY_ATTEMPT < 2 ? 75 : 0))"]
                exit_codes: {75: unavailable}
                retry: {on: {unavailable: {max: 0}}}
            """);
    awaitState(run, "RUNNING");
    var fetch = onlyTask(run);
    awaitState(fetch, "BLOCKED");
    assertThat(state(run)).isEqualTo("RUNNING");
    var unblocked = shell.run("unblock", fetch, "--note", "it is back");
    assertThat(unblocked.status()).as(unblocked.err()).isZero();
    awaitState(run, "SUCCEEDED");
    assertThat(show(fetch).path("history").findValuesAsText("reason"))
        .containsSubsequence("unavailable: exit_code 75", "unblocked: it is back", "due");
    assertThat(shell.run("unblock", fetch).err()).contains("is SUCCEEDED");
  }

  @Test
  void task_is_not_tried_again_where_its_condition_says_no() throws Exception {
    var run =
        trigger(
            """
            name: picky
            tasks:
              - name: picky
                command: [sh, -c, "exit $((BELAY_ATTEMPT + 1))"]
                retry: {max: 5, backoff: {initial: 10ms}, if: "${{ exit_code != 3 && category == 'error' }}"}
            """);
    awaitState(run, "FAILED");
    assertThat(show(onlyTask(run)).path("attempts").findValuesAsText("end_reason"))
        .containsExactly("exit_code: 2", "exit_code: 3; retry.if is false");
  }

  @Test
  void task_that_takes_too_long_is_ended() {
    var slow = submit("--timeout", "300ms", "--", "sleep", "300");
    awaitState(slow, "TIMEOUT");
    assertThat(show(slow).path("attempts").findValuesAsText("end_reason"))
        .singleElement()
        .asString()
        .startsWith("execution_timeout");
  }

  @Test
  void cancelled_task_ends_with_its_process() throws Exception {
    var pid = home.resolve("cancelled.pid");
    var task =
        submit(
            "--",
            "sh",
            "-c",
            "echo $$ > %1$s.part && mv %1$s.part %1$s && exec sleep 300".formatted(pid));
    await(() -> Files.exists(pid));
    assertThat(shell.run("cancel", task).status()).isZero();
    awaitState(task, "CANCELLED");
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))).isEmpty();
  }

  @Test
  void run_of_a_paused_workflow_waits_until_it_is_resumed() throws Exception {
    register("name: paused\ntasks: [{name: only, command: ['true']}]\n");
    assertThat(shell.run("pause", "paused").status()).isZero();
    var run = triggerNamed("paused");
    await(() -> show(run).path("run").path("reason").asText().equals("paused"));
    assertThat(state(run)).isEqualTo("QUEUED");
    assertThat(shell.run("resume", "paused").status()).isZero();
    awaitState(run, "SUCCEEDED");
  }

  @Test
  void same_idempotency_key_gives_the_same_task_and_refuses_another_request() {
    var first = shell.run("submit", "--idempotency-key", "same", "--wait", "--", "true");
    var again = shell.run("submit", "--idempotency-key", "same", "--", "true");
    assertThat(again.out()).isEqualTo(first.out().lines().findFirst().orElseThrow() + "\n");
    var other = shell.run("submit", "--idempotency-key", "same", "--", "false");
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.err()).contains("used before for another request");
  }

  @Test
  void task_whose_worker_was_killed_runs_again() throws Exception {
    var starts = home.resolve("starts");
    var task =
        submit(
            "--",
            "sh",
            "-c",
            "echo $BELAY_FENCE >> %s; [ $BELAY_FENCE != 1 ] || sleep 300".formatted(starts));
    await(() -> Files.exists(starts));
    killWorker();
    awaitState(task, "SUCCEEDED");
    assertThat(Files.readAllLines(starts)).containsExactly("1", "2");
    var attempts = show(task).path("attempts");
    // The reason depends on how soon the worker is back.
    var reason = attempts.findValuesAsText("end_reason").getFirst();
    assertThat(reason).isIn("worker_restarted", "agent_lost");
    var kind = reason.equals("agent_lost") ? "agent_closed" : reason;
    assertThat(shell.run("recovery").out()).containsPattern("(?m)^" + kind + " +\\S+ +[1-9]");
  }

  @Test
  void server_that_was_killed_goes_on_where_it_was() throws Exception {
    var done = submit("--", "true");
    awaitState(done, "SUCCEEDED");
    var waiting = submit("--pool", "nobody", "--", "true");
    killServer();
    assertThat(state(done)).isEqualTo("SUCCEEDED");
    assertThat(state(waiting)).isEqualTo("SCHEDULED");
    awaitState(submit("--", "true"), "SUCCEEDED");
  }

  private String submit(String... arguments) {
    var words = new ArrayList<>(List.of("submit"));
    words.addAll(List.of(arguments));
    var submitted = shell.run(words.toArray(String[]::new));
    assertThat(submitted.status()).as(submitted.err()).isZero();
    return submitted.out().strip();
  }

  private String trigger(String workflow) throws IOException {
    register(workflow);
    return triggerNamed(workflow.lines().findFirst().orElseThrow().replace("name: ", ""));
  }

  private void register(String workflow) throws IOException {
    var file = Files.writeString(home.resolve("w.yaml"), workflow).toString();
    var registered = shell.run("register", file);
    assertThat(registered.status()).as(registered.err()).isZero();
  }

  private String triggerNamed(String name) {
    var triggered = shell.run("trigger", name);
    assertThat(triggered.status()).as(triggered.err()).isZero();
    return triggered.out().strip();
  }

  private JsonNode show(String id) {
    try {
      return json.readTree(shell.run("show", id, "-o", "json").out());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private String state(String id) {
    var shown = show(id);
    return shown.path(shown.has("task") ? "task" : "run").path("state").asText();
  }

  private String onlyTask(String run) throws IOException {
    return json.readTree(shell.run("tasks", "--run", run, "-o", "json").out())
        .path("items")
        .path(0)
        .path("id")
        .asText();
  }

  private void awaitState(String id, String state) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(state(id)).isEqualTo(state));
  }

  private static void await(Callable<Boolean> reached) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(reached);
  }
}
