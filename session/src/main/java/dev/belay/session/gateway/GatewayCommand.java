package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the adapter must do next. */
public sealed interface GatewayCommand {

  /** Writes to the stream. */
  record Send(ServerMessage message) implements GatewayCommand {}

  /**
   * Writes the hello; answered by {@code registered}. A hello whose key is not that of its worker
   * id is refused for good and writes nothing. One that is older than the latest known is refused,
   * not permanently: the same session with no higher connection number, or another session with no
   * higher session number. Else the late hello of a dead process could declare the work of its
   * successor lost.
   */
  record Register(WorkerHello hello) implements GatewayCommand {}

  /**
   * Tells the worker that its hello is not taken, and whoever keeps count of that.
   *
   * @param worker empty when the hello names none
   */
  record Refuse(Optional<WorkerId> worker, Registration.Refused refused) implements GatewayCommand {
    public ServerMessage message() {
      return ServerMessages.reject(refused);
    }
  }

  /**
   * Reads <em>all</em> active tasks of the worker and, in the same snapshot, whether {@code peer}
   * is still the worker's registered session and connection; answered by {@code mailbox}, or by
   * {@code superseded} if it is not. A read that leaves tasks out would make the agent stop them.
   *
   * @param assigned sent before: what there is to do for these need not be read again
   */
  record ReadMailbox(Peer peer, List<DispatchId> assigned) implements GatewayCommand {}

  /** Hands events to the shared batcher; answered by {@code settled}, all at once or in parts. */
  record Apply(List<WorkerEvent> events) implements GatewayCommand {}

  /**
   * Binds each dispatch to the peer's session, where it is DISPATCHED, or RUNNING and adopted, and
   * still bound to {@code from}; answered by {@code rebound} with those that were.
   */
  record Rebind(Peer peer, List<Binding> bindings) implements GatewayCommand {}

  /**
   * A dispatch and the session that it must still be bound to.
   *
   * @param adopted it runs, and outlived that session
   */
  record Binding(DispatchId dispatch, SessionId from, boolean adopted) {}

  /**
   * The worker lives: a numbered heartbeat. Written before the next command runs; if the peer is
   * not the worker's registered connection any more, the adapter calls {@code superseded} instead
   * of going on.
   */
  record Touch(Peer peer, Load load) implements GatewayCommand {}

  /**
   * What a heartbeat says.
   *
   * @param preparing dispatches that have not started yet, and will; or whose start is known, and
   *     not written yet
   * @param trouble why it takes no work for now; empty when all is well
   */
  record Load(
      long number, List<DispatchId> preparing, int freeSlots, double cpuPercent, String trouble) {

    /** All is well. */
    public Load(long number, List<DispatchId> preparing, int freeSlots, double cpuPercent) {
      this(number, preparing, freeSlots, cpuPercent, "");
    }

    Load with(List<DispatchId> unwritten) {
      return new Load(
          number,
          Stream.concat(preparing.stream(), unwritten.stream()).distinct().toList(),
          freeSlots,
          cpuPercent,
          trouble);
    }
  }

  /** The worker wants no new work. */
  record Drain(Peer peer) implements GatewayCommand {}

  /** Ends the stream, after what was sent before; the adapter answers with {@code closed}. */
  record Close(String reason) implements GatewayCommand {}

  /**
   * Guarded by session and connection: a late one never overrides a newer connection.
   *
   * @param closedByPeer the connection was closed by the worker's side, as by the death of its
   *     process
   */
  record MarkDisconnected(Peer peer, boolean closedByPeer) implements GatewayCommand {}
}
