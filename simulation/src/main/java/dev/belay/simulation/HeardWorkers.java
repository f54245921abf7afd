package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.port.WorkerStore;
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
 * Records each committed sign of a worker, with the time at which its write began: a replica that
 * freezes after the commit returns from the call much later.
 */
record HeardWorkers(WorkerStore store, Hearing hearing, Trace trace) implements WorkerStore {

  @Override
  public Registration register(WorkerHello hello, String replica) {
    long began = hearing.listened();
    var answer = store.register(hello, replica);
    if (answer instanceof Registration.Accepted) {
      trace.say(replica, "registers", hello.peer().worker());
      hearing.hello(hello.peer(), began);
    }
    return answer;
  }

  @Override
  public Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned) {
    return store.readMailbox(peer, assigned);
  }

  @Override
  public List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
    return store.rebind(peer, bindings);
  }

  @Override
  public boolean touch(Peer peer, Load load) {
    long began = hearing.listened();
    boolean current = store.touch(peer, load);
    if (current) {
      hearing.sign(peer.worker(), began);
    }
    return current;
  }

  @Override
  public void drain(Peer peer) {
    store.drain(peer);
  }

  @Override
  public void markDisconnected(Peer peer, boolean closedByPeer) {
    trace.say("stream", closedByPeer ? "is closed by" : "is over of", peer.worker());
    long began = hearing.listened();
    store.markDisconnected(peer, closedByPeer);
    if (closedByPeer) {
      hearing.hungUp(peer, began);
    }
  }
}
