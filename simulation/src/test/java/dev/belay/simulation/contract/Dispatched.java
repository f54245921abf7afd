package dev.belay.simulation.contract;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.session.gateway.GatewayCommand.Binding;
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
    return ended(true, new Outcome.Exited(code, 0));
  }

  /** Nobody was told that it started. */
  WorkerEvent exitedAtOnce(int code) {
    return ended(false, new Outcome.Exited(code, 0));
  }

  WorkerEvent exitedAtOnce(int code, Instant started, Instant ended) {
    return ended(false, new Outcome.Exited(code, 0), started, ended);
  }

  WorkerEvent killed(int signal) {
    return ended(true, new Outcome.Exited(128 + signal, signal));
  }

  private WorkerEvent ended(boolean startTold, Outcome outcome) {
    return ended(startTold, outcome, Instant.ofEpochSecond(1), Instant.ofEpochSecond(3));
  }

  private WorkerEvent ended(boolean startTold, Outcome outcome, Instant started, Instant ended) {
    return ended(
        startTold,
        outcome,
        new WorkerEvent.Execution(started.toEpochMilli(), ended.toEpochMilli(), "", 0));
  }

  private WorkerEvent ended(boolean startTold, Outcome outcome, WorkerEvent.Execution execution) {
    return new WorkerEvent.Ended(
        to.worker(), to.session(), id, task, startTold, outcome, execution);
  }

  /** Like {@link #exited}, with all that a worker may know. */
  WorkerEvent exitedInDetail(int code, String detail, long outputLost) {
    return ended(
        true,
        new Outcome.Exited(code, 0),
        new WorkerEvent.Execution(1_000, 3_000, detail, outputLost));
  }

  /** The binding that the next session of its worker asks to change. */
  Binding binding(boolean adopted) {
    return new Binding(task, id, to.session(), adopted);
  }

  WorkerEvent refused() {
    return WorkerEvent.Ended.of(to.worker(), to.session(), id, task, new Outcome.Refused("full"));
  }

  WorkerEvent lost() {
    return lost(Duration.ZERO);
  }

  WorkerEvent lost(Duration mayRunOn) {
    return WorkerEvent.Ended.of(
        to.worker(), to.session(), id, task, new Outcome.Lost("worker_restarted", mayRunOn));
  }
}
