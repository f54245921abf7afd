package dev.belay.engine.port;

import dev.belay.domain.id.DispatchId;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Rows of workers and the active tasks bound to them. Session and connection guard every write. */
public interface WorkerStore {

  Registration register(WorkerHello hello, String replica);

  /**
   * All active tasks of the worker; empty when the peer is no longer its registered connection.
   *
   * @param assigned dispatches whose work need not be read
   */
  Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned);

  /** Binds dispatches that never started to the worker's new session; returns those it bound. */
  List<DispatchId> rebind(Peer peer, List<Binding> bindings);

  /** False when the peer is no longer the worker's registered connection. */
  boolean touch(Peer peer, Load load);

  void drain(Peer peer);

  /**
   * @param closedByPeer the worker's side closed the connection
   */
  void markDisconnected(Peer peer, boolean closedByPeer);
}
