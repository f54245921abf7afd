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

/**
 * The rows of workers, and the active tasks bound to them. Every write is guarded by session and
 * connection.
 */
public interface WorkerStore {

  Registration register(WorkerHello hello, String replica);

  /**
   * All active tasks of the worker, or empty when the peer is not its registered connection any
   * more.
   *
   * @param assigned what there is to do for these is not needed
   */
  Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned);

  /**
   * Binds dispatches that never started to the worker's new session; answers with those that were.
   */
  List<DispatchId> rebind(Peer peer, List<Binding> bindings);

  /** False when the peer is not the worker's registered connection any more. */
  boolean touch(Peer peer, Load load);

  void drain(Peer peer);

  /**
   * @param closedByPeer its connection was closed from its side
   */
  void markDisconnected(Peer peer, boolean closedByPeer);
}
