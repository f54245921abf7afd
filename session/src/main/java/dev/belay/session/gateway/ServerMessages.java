package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.reap.Lease;
import dev.belay.domain.spec.RunPolicy.Stopping;
import dev.belay.domain.spec.Work;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.Assign;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Granted;
import dev.belay.protocol.agent.v1.HeartbeatSeen;
import dev.belay.protocol.agent.v1.Reject;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Settled;
import dev.belay.protocol.agent.v1.Welcome;
import dev.belay.session.gateway.GatewaySettings.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Messages of the server, as commands that send them. */
final class ServerMessages {
  private ServerMessages() {}

  static GatewayCommand.Send welcome(GatewaySettings settings) {
    var welcome =
        Welcome.newBuilder()
            .setHeartbeatIntervalMs(settings.heartbeatInterval().toMillis())
            .setReplica(settings.replica())
            .setResultsMax(Listener.RESULTS_MAX);
    return send(ServerMessage.newBuilder().setWelcome(welcome));
  }

  static ServerMessage reject(Registration.Refused refused) {
    var reject =
        Reject.newBuilder()
            .setReason(refused.reason())
            .setPermanent(refused.permanent())
            .setLastSessionNumber(refused.lastNumber());
    return ServerMessage.newBuilder().setReject(reject).build();
  }

  static GatewayCommand.Send heartbeatSeen(long number) {
    return send(
        ServerMessage.newBuilder().setHeartbeatSeen(HeartbeatSeen.newBuilder().setNumber(number)));
  }

  static GatewayCommand.Send abort(DispatchId id, String reason, GatewaySettings settings) {
    var abort =
        Abort.newBuilder()
            .setDispatchId(id.toString())
            .setReason(reason)
            .setGraceMs(settings.abortGrace().toMillis());
    return send(ServerMessage.newBuilder().setAbort(abort));
  }

  static GatewayCommand.Send granted(Granted.Builder granted) {
    return send(ServerMessage.newBuilder().setGranted(granted));
  }

  static GatewayCommand.Send settled(Settled.Builder settled) {
    return send(ServerMessage.newBuilder().setSettled(settled));
  }

  static Dispatch dispatch(MailboxEntry entry, Assignment assignment, Lease lease) {
    var message =
        Dispatch.newBuilder()
            .setDispatchId(entry.id().toString())
            .setTaskId(entry.task().toString())
            .setRunId(Objects.toString(assignment.run(), ""))
            .setTaskName(assignment.name())
            .setTenant(assignment.tenant())
            .setAttempt((int) assignment.fencingToken())
            .setFencingToken(assignment.fencingToken())
            .setWorkflow(Objects.requireNonNullElse(assignment.workflow(), ""));
    assignment.work().ifPresent(work -> add(work, lease, message));
    return message.build();
  }

  private static void add(Work work, Lease lease, Dispatch.Builder message) {
    message.addAllArgv(work.argv()).putAllEnv(work.env());
    if (work.script() != null) {
      message.setScript(work.script());
    }
    if (work.policy().executionTimeout() != null) {
      message.setExecutionTimeoutMs(work.policy().executionTimeout().toMillis());
    }
    Stopping stopping = work.policy().stopping();
    if (stopping.stallTimeout() != null) {
      message.setStallTimeoutMs(stopping.stallTimeout().toMillis());
    }
    if (stopping.stopGrace() != null) {
      message.setStopGraceMs(stopping.stopGrace().toMillis());
    }
    if (work.policy().isStrict()) {
      message.setLeaseMs(lease.endsAfter().toMillis());
    }
  }

  /** In as few messages as the limits allow. */
  static List<GatewayCommand.Send> assigns(List<Dispatch> dispatches, Limits limits) {
    var messages = new ArrayList<GatewayCommand.Send>();
    var assign = Assign.newBuilder();
    long bytes = 0;
    for (var dispatch : dispatches) {
      int size = dispatch.getSerializedSize();
      int count = assign.getDispatchesCount();
      if (count == limits.assignMax() || (count > 0 && bytes + size > limits.assignBytesMax())) {
        messages.add(send(ServerMessage.newBuilder().setAssign(assign)));
        assign = Assign.newBuilder();
        bytes = 0;
      }
      assign.addDispatches(dispatch);
      bytes += size;
    }
    if (assign.getDispatchesCount() > 0) {
      messages.add(send(ServerMessage.newBuilder().setAssign(assign)));
    }
    return messages;
  }

  private static GatewayCommand.Send send(ServerMessage.Builder message) {
    return new GatewayCommand.Send(message.build());
  }
}
