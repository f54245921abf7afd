package dev.belay.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.handler.Handler;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with a handler in its own JVM. */
class HandlerAgentTest {

  @TempDir Path temp;

  @BeforeEach
  void writeToken() throws IOException {
    Files.writeString(temp.resolve("join-token"), "secret-token\n");
  }

  @Test
  void handler_does_the_work_of_every_dispatch_and_answers_its_exit_code() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, dispatch -> Integer.parseInt(dispatch.getArgv(0)))) {
      List<Dispatch> dispatches = new ArrayList<>();
      for (int code = 0; code < 4; code++) {
        dispatches.add(ControlPlane.dispatch(String.valueOf(code)));
      }
      dispatches.forEach(plane::assign);
      for (int code = 0; code < 4; code++) {
        assertThat(plane.awaitFinished(dispatches.get(code)).getExit().getCode()).isEqualTo(code);
      }
    }
  }

  @Test
  void exception_of_a_handler_is_a_failure_that_says_why() throws Exception {
    try (var plane = new ControlPlane();
        var _ =
            start(
                plane,
                dispatch -> {
                  throw new IllegalStateException("no such customer");
                })) {
      var work = ControlPlane.dispatch("x");
      plane.assign(work);
      Finished finished = plane.awaitFinished(work);
      assertThat(finished.getExit().getCode()).isEqualTo(1);
      assertThat(finished.getDetail()).contains("no such customer");
    }
  }

  /** A server that cannot read a task's work delivers the task without it. */
  @Test
  void dispatch_without_work_fails_to_start_and_the_handler_never_hears_of_it() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, dispatch -> 0)) {
      var nothing = ControlPlane.dispatch();
      plane.assign(nothing);
      assertThat(plane.awaitFinished(nothing).getStartFailed().getMessage())
          .isEqualTo("the task has neither a command nor a script");
    }
  }

  @Test
  void timeout_interrupts_the_handler_and_is_its_outcome() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, HandlerAgentTest::blocked)) {
      var work = ControlPlane.dispatch("x").toBuilder().setExecutionTimeoutMs(50).build();
      plane.assign(work);
      assertThat(plane.awaitFinished(work).getTimedOut().getLimitMs()).isEqualTo(50);
    }
  }

  @Test
  void abort_interrupts_the_handler_and_is_its_outcome() throws Exception {
    var entered = new CountDownLatch(1);
    try (var plane = new ControlPlane();
        var _ =
            start(
                plane,
                dispatch -> {
                  entered.countDown();
                  return blocked(dispatch);
                })) {
      var work = ControlPlane.dispatch("x");
      plane.assign(work);
      entered.await();
      plane.abort(work, "cancelled");
      assertThat(plane.awaitFinished(work).getAborted().getReason()).isEqualTo("cancelled");
    }
  }

  @Test
  void strictly_fenced_work_is_not_run_because_nobody_could_end_it_in_time() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, dispatch -> 0)) {
      var work = ControlPlane.strict(Duration.ofSeconds(5), "x");
      plane.assign(work);
      assertThat(plane.awaitFinished(work).getStartFailed().getMessage())
          .startsWith("fencing: strict needs a worker that runs commands");
    }
  }

  @Test
  void work_with_a_stall_timeout_is_not_run_because_a_handler_has_no_output() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, dispatch -> 0)) {
      var work = ControlPlane.dispatch("x").toBuilder().setStallTimeoutMs(5_000).build();
      plane.assign(work);
      assertThat(plane.awaitFinished(work).getStartFailed().getMessage())
          .startsWith("stall_timeout needs a worker that runs commands");
    }
  }

  private static int blocked(Dispatch dispatch) throws InterruptedException {
    new CountDownLatch(1).await();
    return 0;
  }

  private Agent start(ControlPlane plane, Handler handler) throws IOException {
    var settings = AgentTest.settings(temp, plane.address());
    return Agent.start(settings, handler);
  }
}
