package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The adapter's next action. */
public sealed interface GatewayCommand {

  /** Writes to the stream. */
  record Send(ServerMessage message) implements GatewayCommand {}

  /**
   * Writes the hello; answered by {@code registered}. A hello with a wrong key for its worker id is
   * refused permanently. A hello older than the latest known is refused, but not permanently: the
   * same session without a higher connection number, or another session without a higher session
   * number. Otherwise the late hello of a dead process could declare its successor's work lost. A
   * refused hello writes nothing.
   */
  record Register(WorkerHello hello) implements GatewayCommand {}

  /**
   * Sends a Reject to the worker, and counts the refusal.
   *
   * @param worker empty when the hello has no valid id
   */
  record Refuse(Optional<WorkerId> worker, Registration.Refused refused) implements GatewayCommand {
    public ServerMessage message() {
      return ServerMessages.reject(refused);
    }
  }

  /**
   * Reads <em>all</em> active tasks of the worker and, in the same snapshot, whether {@code peer}
   * is still its registered session and connection; answered by {@code mailbox}, or else by {@code
   * superseded}. A read that omits tasks would make the agent stop them.
   *
   * @param assigned sent before: their work need not be read again
   */
  record ReadMailbox(Peer peer, List<DispatchId> assigned) implements GatewayCommand {}

  /** Hands events to the shared batcher; answered by {@code settled}, all at once or in parts. */
  record Apply(List<WorkerEvent> events) implements GatewayCommand {}

  /**
   * Binds each dispatch to the peer's session, if it is DISPATCHED, or RUNNING and adopted, and
   * still bound to {@code from}; answered by {@code rebound} with those it bound.
   */
  record Rebind(Peer peer, List<Binding> bindings) implements GatewayCommand {}

  /**
   * A dispatch of a task and its expected session.
   *
   * @param adopted it runs, and outlived that session
   */
  record Binding(TaskId task, DispatchId dispatch, SessionId from, boolean adopted) {}

  /**
   * Writes a numbered heartbeat before the next command runs. If the peer is no longer the worker's
   * registered connection, the adapter calls {@code superseded} and skips the rest.
   */
  record Touch(Peer peer, Load load) implements GatewayCommand {}

  /**
   * The content of a heartbeat.
   *
   * @param preparing dispatches that have not started yet, or whose start is known but not written
   * @param active how many dispatches it lists
   * @param freeSlots how many more tasks it would take
   * @param gpuPercent null when it is not known
   * @param trouble why it takes no work for now; empty when all is well
   */
  record Load(
      long number,
      List<DispatchId> preparing,
      int active,
      int freeSlots,
      double cpuPercent,
      @Nullable Double gpuPercent,
      String trouble) {

    /** Without trouble and GPUs. */
    public Load(long number, List<DispatchId> preparing, int freeSlots, double cpuPercent) {
      this(number, preparing, 0, freeSlots, cpuPercent, null, "");
    }

    Load with(List<DispatchId> unwritten) {
      return new Load(
          number,
          Stream.concat(preparing.stream(), unwritten.stream()).distinct().toList(),
          active,
          freeSlots,
          cpuPercent,
          gpuPercent,
          trouble);
    }
  }

  /** The worker wants no new work. */
  record Drain(Peer peer) implements GatewayCommand {}

  /** Ends the stream after the messages sent before; the adapter answers with {@code closed}. */
  record Close(String reason) implements GatewayCommand {}

  /**
   * Guarded by session and connection: a late one never overrides a newer connection.
   *
   * @param closedByPeer the worker's side closed the connection, as when its process dies
   */
  record MarkDisconnected(Peer peer, boolean closedByPeer) implements GatewayCommand {}
}
