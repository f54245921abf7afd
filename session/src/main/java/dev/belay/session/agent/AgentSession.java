package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.util.List;
import java.util.random.RandomGenerator;

/** The worker's end of a session. */
public final class AgentSession {
  public AgentSession(
      AgentProfile profile, Recovered recovered, AgentSettings settings, RandomGenerator random) {}

  public List<AgentCommand> start() {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> connected() {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> disconnected() {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> received(ServerMessage message) {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> prepared(DispatchId id, long pid, long atMs) {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> prepareFailed(DispatchId id, String message, long atMs) {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> ended(Finished finished) {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> tick(long nowNanos, double cpuPercent) {
    throw new UnsupportedOperationException();
  }

  public List<AgentCommand> drain() {
    throw new UnsupportedOperationException();
  }

  public boolean isIdle() {
    throw new UnsupportedOperationException();
  }
}
