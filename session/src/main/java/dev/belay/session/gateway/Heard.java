package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Held;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A validated message of an agent: ids parse, counts and texts are within the limits. */
sealed interface Heard {

  /**
   * @param journalComplete a dispatch that it does not list did not start in an earlier session
   * @param rebooted the machine rebooted since the last session
   */
  record Hello(
      WorkerHello worker, boolean journalComplete, boolean rebooted, Map<DispatchId, Held> held)
      implements Heard {}

  record Heartbeat(List<DispatchId> active, GatewayCommand.Load load) implements Heard {}

  record Acked(List<DispatchId> dispatches) implements Heard {}

  record Started(DispatchId dispatch, TaskId task, long atMs) implements Heard {}

  record Ended(DispatchId dispatch, TaskId task, Outcome outcome, WorkerEvent.Execution execution)
      implements Heard {}

  /**
   * @param results each is Started or Ended
   */
  record Results(List<Heard> results) implements Heard {}

  record Draining() implements Heard {}

  /** A message kind of a newer agent. */
  record Unknown() implements Heard {}

  /** Refused permanently. */
  record BadHello(Optional<WorkerId> worker, String reason) implements Heard {}

  record Malformed(String reason) implements Heard {}
}
