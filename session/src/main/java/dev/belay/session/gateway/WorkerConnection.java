package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.AgentMessage;
import java.util.Collection;
import java.util.List;

/** The server's end of one stream. */
public final class WorkerConnection {
  public WorkerConnection(GatewaySettings settings) {}

  public List<GatewayCommand> received(AgentMessage message) {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> registered(Registration registration) {
    throw new UnsupportedOperationException();
  }

  /** A hint arrived, or a second passed: read the mailbox, unless a read is under way. */
  public List<GatewayCommand> wake() {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> mailbox(List<MailboxEntry> entries) {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> superseded() {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> settled(List<Settlement> settlements) {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> rebound(Collection<DispatchId> dispatches) {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> closed(boolean byPeer) {
    throw new UnsupportedOperationException();
  }

  public List<GatewayCommand> shutdown() {
    throw new UnsupportedOperationException();
  }
}
