package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Aborted;
import dev.belay.protocol.agent.v1.Acked;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Draining;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.Refused;
import dev.belay.protocol.agent.v1.StartFailed;
import dev.belay.protocol.agent.v1.Started;
import java.util.Collection;

/** Messages of the agent, as commands that send them. */
final class AgentMessages {
  private AgentMessages() {}

  static AgentCommand.Send hello(
      AgentProfile profile,
      long sessionNumber,
      long connection,
      Iterable<Held> held,
      boolean journalComplete,
      boolean rebooted) {
    var hello =
        Hello.newBuilder()
            .setWorkerId(profile.identity().worker().toString())
            .setKey(profile.identity().key().bytes())
            .setSessionId(profile.identity().session().toString())
            .setSessionNumber(sessionNumber)
            .setConnection(connection)
            .setName(profile.name())
            .addAllPools(profile.offer().pools())
            .setSlots(profile.offer().slots())
            .putAllLabels(profile.offer().labels())
            .addAllCapabilities(profile.offer().capabilities())
            .setMemoryBytes(profile.offer().resources().memoryBytes())
            .setCpuMillis(profile.offer().resources().cpuMillis())
            .setVersion(profile.version())
            .setPlatform(profile.platform())
            .setStartedAtMs(profile.startedAt().toEpochMilli())
            .addAllHeld(held)
            .setJournalComplete(journalComplete)
            .setRebooted(rebooted);
    return send(AgentMessage.newBuilder().setHello(hello));
  }

  static AgentCommand.Send heartbeat(Heartbeat.Builder heartbeat) {
    return send(AgentMessage.newBuilder().setHeartbeat(heartbeat));
  }

  static AgentCommand.Send draining() {
    return send(AgentMessage.newBuilder().setDraining(Draining.getDefaultInstance()));
  }

  static AgentCommand.Send acked(Collection<DispatchId> ids) {
    var acked = Acked.newBuilder();
    ids.forEach(id -> acked.addDispatchIds(id.toString()));
    return send(AgentMessage.newBuilder().setAcked(acked));
  }

  static AgentCommand.Send started(DispatchId id, TaskId task, long atMs, long pid) {
    var started =
        Started.newBuilder()
            .setDispatchId(id.toString())
            .setTaskId(task.toString())
            .setAtMs(atMs)
            .setPid(pid);
    return send(AgentMessage.newBuilder().setStarted(started));
  }

  static AgentCommand.Send finished(Finished finished) {
    return send(AgentMessage.newBuilder().setFinished(finished));
  }

  static AgentCommand.Send refused(DispatchId id, TaskId task, String reason) {
    var refused =
        Refused.newBuilder()
            .setDispatchId(id.toString())
            .setTaskId(task.toString())
            .setReason(reason);
    return send(AgentMessage.newBuilder().setRefused(refused));
  }

  static Finished startFailed(DispatchId id, TaskId task, String message, long atMs) {
    return Finished.newBuilder()
        .setDispatchId(id.toString())
        .setTaskId(task.toString())
        .setEndedAtMs(atMs)
        .setStartFailed(StartFailed.newBuilder().setMessage(message))
        .build();
  }

  static Finished abortedBeforeStart(Finished finished, String reason) {
    return finished.toBuilder()
        .setStartedAtMs(0)
        .setAborted(Aborted.newBuilder().setReason(reason))
        .build();
  }

  private static AgentCommand.Send send(AgentMessage.Builder message) {
    return new AgentCommand.Send(message.build());
  }
}
