package dev.belay.agent;

import static dev.belay.agent.ControlPlane.dispatch;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.agent.wiring.Machine;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.session.wire.Offer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AgentTest {

  @TempDir Path temp;

  @BeforeEach
  void writeToken() throws IOException {
    Files.writeString(temp.resolve("join-token"), "secret-token\n");
  }

  @Test
  void ships_the_output_of_a_task_before_it_says_finished() throws Exception {
    try (var plane = new ControlPlane();
        var agent = start(plane.address())) {
      var hello = plane.awaitHello(1);
      assertThat(hello.getWorkerId()).isEqualTo(agent.workerId());
      assertThat(hello.getJournalComplete()).as("a new worker has lost nothing").isTrue();
      assertThat(plane.authorization()).isEqualTo("Bearer secret-token");

      var echo = dispatch("/bin/echo", "it works");
      plane.assign(echo);

      assertThat(plane.awaitFinished(echo).getExit().getCode()).isZero();
      assertThat(plane.log(echo)).endsWith("O it works\n");
      assertThat(plane.kinds()).startsWith("hello", "acked", "log").endsWith("log", "finished");
    }
  }

  @Test
  void outcome_waits_for_its_log() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      plane.ackingLogs(false);
      var echo = dispatch("/bin/echo", "late");
      plane.assign(echo);
      await().until(() -> plane.log(echo).contains("late"));
      // Later messages arrive in order behind an early outcome.
      var heartbeats = plane.heartbeats();
      await().until(() -> plane.heartbeats() > heartbeats + 1);
      assertThat(plane.finished(echo)).isEmpty();

      plane.ackingLogs(true);
      plane.awaitFinished(echo);
    }
  }

  @Test
  void silent_task_waits_for_no_log() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      plane.ackingLogs(false);
      var silent = dispatch("/bin/sh", "-c", "exit 3");
      plane.assign(silent);
      assertThat(plane.awaitFinished(silent).getExit().getCode()).isEqualTo(3);
      assertThat(plane.kinds()).doesNotContain("log");
    }
  }

  @Test
  void unsettled_outcome_is_sent_again_on_the_next_connection() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      plane.settling(false);
      var echo = dispatch("/bin/echo", "again");
      plane.assign(echo);
      var first = plane.awaitFinished(echo);
      plane.settling(true);
      plane.drop();

      var hello = plane.awaitHello(2);
      assertThat(hello.getConnection()).isEqualTo(2);
      assertThat(hello.getHeldList())
          .extracting(Held::getDispatchId, Held::getTaskId, Held::getPhase)
          .containsExactly(tuple(echo.getDispatchId(), echo.getTaskId(), Held.Phase.ENDED));
      assertThat(plane.awaitFinished(echo, 2)).isEqualTo(first);
      await().until(() -> journal().contains("\"settled\""));
      plane.drop();
      assertThat(plane.awaitHello(3).getHeldList()).as("settled is forgotten").isEmpty();
    }
  }

  @Test
  void task_runs_on_while_the_connection_is_lost() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      var go = temp.resolve("go");
      var task =
          dispatch("/bin/sh", "-c", "while [ ! -e " + go + " ]; do sleep 0.05; done; echo on");
      plane.assign(task);
      plane.awaitStarted(task);
      plane.drop();
      Files.createFile(go);
      assertThat(plane.awaitFinished(task).getExit().getCode()).isZero();
      assertThat(plane.log(task)).endsWith("O on\n");
    }
  }

  @Test
  void connects_when_the_server_comes_up() throws Exception {
    var early = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    var port = early.getLocalPort();
    try (var _ = start(URI.create("http://127.0.0.1:" + port))) {
      // A peer that hangs up, a proxy without a server, nothing at all, then the real server.
      early.accept().close();
      try (var proxy = early.accept()) {
        proxy
            .getOutputStream()
            .write("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
        proxy.shutdownOutput();
        proxy.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
      early.close();
      try (var plane = new ControlPlane(port)) {
        var echo = dispatch("/bin/echo", "up");
        plane.assign(echo);
        plane.awaitFinished(echo);
      }
    }
  }

  @Test
  void token_that_cannot_be_sent_is_tried_again_and_may_be_mended() throws Exception {
    try (var plane = new ControlPlane();
        var agent = start(plane.address())) {
      plane.awaitHello(1);
      Files.writeString(temp.resolve("join-token"), "two\nlines\0");
      plane.drop();
      await()
          .during(Duration.ofSeconds(2))
          .until(() -> !agent.gaveUp().toCompletableFuture().isDone());
      assertThat(plane.all(AgentMessage::hasHello)).hasSize(1);
      writeToken();
      plane.awaitHello(2);
      assertThat(plane.authorization()).isEqualTo("Bearer secret-token");
    }
  }

  @Test
  void tries_the_servers_in_turn() throws Exception {
    var nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    var dead = URI.create("http://127.0.0.1:" + nobody.getLocalPort());
    nobody.close();
    try (var plane = new ControlPlane();
        var _ = start(dead, dead, dead, plane.address())) {
      plane.awaitHello(1);
    }
  }

  @Test
  void moves_to_another_server_when_its_own_is_lost_and_takes_its_task_along() throws Exception {
    try (var one = new ControlPlane();
        var other = new ControlPlane();
        var _ = start(one.address(), other.address())) {
      await().until(() -> one.greeted() || other.greeted());
      var lost = one.greeted() ? one : other;
      var next = one.greeted() ? other : one;
      var dispatch = ControlPlane.dispatch("/bin/sh", "-c", "exec sleep 600");
      lost.assign(dispatch);
      lost.awaitStarted(dispatch);

      lost.close();

      assertThat(next.awaitHello(1).getHeldList())
          .singleElement()
          .satisfies(held -> assertThat(held.getDispatchId()).isEqualTo(dispatch.getDispatchId()));
    }
  }

  @Test
  void abort_ends_a_task() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      var task = dispatch("/bin/sleep", "60");
      plane.assign(task);
      plane.awaitStarted(task);
      plane.abort(task, "cancelled");
      assertThat(plane.awaitFinished(task).getAborted().getReason()).isEqualTo("cancelled");
    }
  }

  @Test
  void missing_program_is_a_start_failure() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      var task = dispatch("no-such-program");
      plane.assign(task);
      assertThat(plane.awaitFinished(task).getStartFailed().getMessage())
          .contains("no-such-program");
    }
  }

  @Test
  void task_that_the_machine_has_no_room_for_is_refused_and_may_come_again() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      var work = temp.resolve("agent").resolve("work");
      var first = dispatch("/bin/true");
      plane.assign(first);
      plane.awaitFinished(first);
      await().until(() -> isEmpty(work));
      Files.move(work, temp.resolve("elsewhere"));
      var task = dispatch("/bin/true");
      plane.assign(task);
      await().until(() -> plane.all(AgentMessage::hasRefused).count() == 1);
      var refused = plane.all(AgentMessage::hasRefused).toList().getFirst().getRefused();
      assertThat(refused.getDispatchId()).isEqualTo(task.getDispatchId());
      assertThat(refused.getTaskId()).isEqualTo(task.getTaskId());
      assertThat(refused.getReason()).startsWith("no resources: ");

      Files.createDirectory(work);
      var next = dispatch("/bin/true");
      plane.assign(next);
      assertThat(plane.awaitFinished(next).getExit().getCode()).isZero();
      assertThat(plane.finished(task)).isEmpty();
    }
  }

  @Test
  void closing_ends_the_tasks_and_waits_for_the_server() throws Exception {
    try (var plane = new ControlPlane()) {
      var agent = start(plane.address());
      var task = dispatch("/bin/sh", "-c", "echo begun; exec sleep 60");
      plane.assign(task);
      await().until(() -> plane.log(task).contains("begun"));
      agent.close();
      agent.close();

      assertThat(plane.finished(task))
          .singleElement()
          .satisfies(f -> assertThat(f.getAborted().getReason()).isEqualTo("graceful_shutdown"));
      assertThat(plane.all(AgentMessage::hasDraining)).isNotEmpty();

      try (var next = start(plane.address())) {
        assertThat(next.workerId()).isEqualTo(agent.workerId());
        var hello = plane.awaitHello(2);
        assertThat(hello.getHeldList()).isEmpty();
        assertThat(hello.getKey()).isEqualTo(plane.awaitHello(1).getKey());
        assertThat(hello.getSessionNumber()).isEqualTo(2);
      }
    }
  }

  @Test
  void outcome_that_no_server_took_is_told_by_the_next_agent() throws Exception {
    var task = dispatch("/bin/sleep", "60");
    try (var plane = new ControlPlane()) {
      var agent = start(plane.address());
      plane.settling(false);
      plane.assign(task);
      plane.awaitStarted(task);
      agent.close();
    }
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      assertThat(plane.awaitFinished(task).getAborted().getReason()).isEqualTo("graceful_shutdown");
    }
  }

  @Test
  void rejected_for_good_gives_up_and_lets_go_of_the_folder() throws Exception {
    try (var plane = new ControlPlane()) {
      plane.rejecting("too old");
      var agent = start(plane.address());
      assertThat(agent.gaveUp().toCompletableFuture().get(10, SECONDS)).isEqualTo("too old");
      agent.close();
      plane.rejecting("");
      try (var _ = start(plane.address())) {
        plane.awaitHello(2);
      }
    }
  }

  @Test
  void join_token_that_no_server_takes_gives_up_with_one_sentence() throws Exception {
    var server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .serviceUnder("/", (context, request) -> HttpResponse.of(HttpStatus.UNAUTHORIZED))
            .build();
    server.start().join();
    var address = URI.create("http://127.0.0.1:" + server.activeLocalPort());
    try (var agent = start(address)) {
      assertThat(agent.gaveUp().toCompletableFuture().get(60, SECONDS))
          .startsWith("the server " + address + " does not take the join token in ")
          .endsWith("Copy join-token from the server's folder");
    } finally {
      server.stop().join();
    }
  }

  @Test
  void machine_that_can_run_no_task_says_so_at_its_start() throws Exception {
    // Runs the supervisor, but no latch.
    var setsid = Files.createDirectory(temp.resolve("bin")).resolve("setsid");
    Files.writeString(
        setsid,
        """
        #!/bin/sh
        case "$*" in *belay-start*) echo broken >&2; exit 1;; esac
        PATH=/usr/bin:/bin
        exec setsid "$@"
        """);
    assertThat(setsid.toFile().setExecutable(true)).isTrue();
    var real = Machine.real();
    var machine =
        new Machine(
            real.clock(),
            real.ticker(),
            real.kernel(),
            real.random(),
            real.ids(),
            real.cpuPercent(),
            real.platform(),
            Map.of("PATH", setsid.getParent() + ":/usr/bin:/bin"));
    try (var plane = new ControlPlane();
        var agent = Agent.start(settings(temp, plane.address()), machine, null)) {
      assertThat(agent.gaveUp().toCompletableFuture().get(20, SECONDS))
          .startsWith("this machine cannot run tasks: ")
          .contains("broken");
    }
  }

  @Test
  void self_check_is_told_to_nobody() throws Exception {
    try (var plane = new ControlPlane();
        var agent = start(plane.address())) {
      plane.awaitHello(1);
      var task = dispatch("/bin/true");
      plane.assign(task);
      plane.awaitFinished(task);
      assertThat(plane.kinds()).containsExactly("hello", "acked", "finished");
      assertThat(plane.awaitHello(1).getHeldList()).isEmpty();
      assertThat(agent.gaveUp().toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void folder_in_use_is_said_so() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane.address())) {
      assertThatThrownBy(() -> start(plane.address()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void agent_that_cannot_keep_its_number_and_clock_works_all_the_same() throws Exception {
    for (String name : List.of("session-number.new", "clock.new")) {
      Files.createDirectories(temp.resolve("agent").resolve(name).resolve("in the way"));
    }
    try (var plane = new ControlPlane()) {
      plane.counted(7);
      try (var agent = start(plane.address())) {
        assertThat(plane.awaitHello(2).getSessionNumber()).isEqualTo(8);
        var task = dispatch("/bin/true");
        plane.assign(task);
        assertThat(plane.awaitFinished(task).getExit().getCode()).isZero();
        assertThat(agent.gaveUp().toCompletableFuture()).isNotDone();
      }
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  private String journal() throws IOException {
    return Files.readString(temp.resolve("agent").resolve("journal.ndjson"));
  }

  private Agent start(URI... servers) throws IOException {
    return Agent.start(settings(temp, servers));
  }

  static AgentSettings settings(Path temp, URI... servers) {
    return settings(
        temp.resolve("join-token"), temp, 4, TaskAccount.SAME, ReserveSettings.defaults(), servers);
  }

  static AgentSettings settings(
      Path joinToken,
      Path temp,
      int slots,
      TaskAccount account,
      ReserveSettings reserve,
      URI... servers) {
    return new AgentSettings(
        "a-worker",
        List.of(servers),
        joinToken,
        temp.resolve("agent"),
        new Offer(List.of("default"), slots, Map.of()),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        10L << 20,
        account,
        reserve,
        AgentBounds.defaults());
  }
}
