package dev.belay.simulation.contract;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.time.Instant;

/** An attempt, and what its worker may say of it. */
record Dispatched(TaskId task, DispatchId id, Peer to) {

  /** The same attempt, of which another speaks. */
  Dispatched by(Peer other) {
    return new Dispatched(task, id, other);
  }

  WorkerEvent started() {
    return new WorkerEvent.Started(to.worker(), to.session(), id, task, 1_000);
  }

  /** After it was told that it started; it ran for two seconds. */
  WorkerEvent exited(int code) {
    return finished(true, Exit.newBuilder().setCode(code));
  }

  /** Nobody was told that it started. */
  WorkerEvent exitedAtOnce(int code) {
    return finished(false, Exit.newBuilder().setCode(code));
  }

  WorkerEvent exitedAtOnce(int code, Instant started, Instant ended) {
    return finished(false, Exit.newBuilder().setCode(code), started, ended);
  }

  WorkerEvent killed(int signal) {
    return finished(true, Exit.newBuilder().setCode(128 + signal).setSignal(signal));
  }

  private WorkerEvent finished(boolean startTold, Exit.Builder exit) {
    return finished(startTold, exit, Instant.ofEpochSecond(1), Instant.ofEpochSecond(3));
  }

  private WorkerEvent finished(
      boolean startTold, Exit.Builder exit, Instant started, Instant ended) {
    var message =
        Finished.newBuilder()
            .setDispatchId(id.toString())
            .setStartedAtMs(started.toEpochMilli())
            .setEndedAtMs(ended.toEpochMilli())
            .setExit(exit);
    return new WorkerEvent.Finished(
        to.worker(), to.session(), id, task, startTold, message.build());
  }

  WorkerEvent refused() {
    return new WorkerEvent.Refused(to.worker(), to.session(), id, "full");
  }

  WorkerEvent lost() {
    return lost(Duration.ZERO);
  }

  WorkerEvent lost(Duration mayRunOn) {
    return new WorkerEvent.Lost(to.worker(), to.session(), id, "worker_restarted", mayRunOn);
  }
}
