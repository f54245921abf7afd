package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.AgentMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of one stream: Hello, Register, ReadMailbox, then Welcome together with the
 * result of the first comparison.
 *
 * <p>The agent sends nothing between Hello and Welcome. Therefore Welcome waits for the mailbox: no
 * outcome can arrive before the session of its dispatch is known.
 */
public final class WorkerConnection {
  private enum Phase {
    AWAITING_HELLO,
    REGISTERING,
    /** Registered; the first mailbox is being read. */
    SYNCING,
    OPEN,
    /** The adapter was asked to close, or the stream has ended. */
    CLOSED
  }

  private static final String HELLO_FIRST = "the first message must be a hello";

  /** A stream is woken about once a second. */
  private static final int WAKES_BEFORE_HELLO_MAX = 30;

  /** A valid Hello. */
  private record Greeted(Heard.Hello hello, KnownDispatches dispatches) {}

  private final GatewaySettings settings;
  private final Listener listener;

  private Phase phase = Phase.AWAITING_HELLO;
  private @Nullable Greeted greeted;
  private int wakesBeforeHello;
  private boolean registered;
  private boolean over;
  private boolean closedByPeer;

  private boolean reading;
  private boolean readAgain;
  private long lastHeartbeat;
  private int awaiting;

  public WorkerConnection(GatewaySettings settings) {
    this.settings = settings;
    this.listener = new Listener(settings.limits());
  }

  /** A message with the database's times. */
  public List<GatewayCommand> received(AgentMessage message) {
    return received(message, Stamps.AS_TOLD);
  }

  /** Never throws, whatever the agent sent. */
  public List<GatewayCommand> received(AgentMessage message, Stamps stamps) {
    if (phase == Phase.CLOSED) {
      return List.of();
    }
    var heard = listener.hear(message, stamps);
    return switch (heard) {
      case Heard.Malformed(var reason) -> close(reason);
      case Heard.BadHello(var worker, var reason) ->
          refuse(worker, Registration.Refused.malformed(reason));
      case Heard.Unknown _ -> greeted == null ? close(HELLO_FIRST) : List.of();
      case Heard.Hello hello -> greeted(hello);
      case Heard.Heartbeat _,
          Heard.Acked _,
          Heard.Started _,
          Heard.Ended _,
          Heard.Results _,
          Heard.Draining _ ->
          greeted == null
              ? close(HELLO_FIRST)
              : phase == Phase.OPEN ? told(heard, greeted) : close("a message before the welcome");
    };
  }

  private List<GatewayCommand> greeted(Heard.Hello hello) {
    if (phase != Phase.AWAITING_HELLO) {
      return close("a second hello");
    }
    phase = Phase.REGISTERING;
    greeted = new Greeted(hello, new KnownDispatches(settings, hello));
    return List.of(new GatewayCommand.Register(hello.worker()));
  }

  /** The store wrote the hello, or refused it. */
  public List<GatewayCommand> registered(Registration registration) {
    var peer = peer();
    return switch (registration) {
      case Registration.Accepted _ -> {
        registered = true;
        if (phase == Phase.CLOSED) {
          // the stream ended before the answer came, so no other call marks it
          yield over ? List.of(new GatewayCommand.MarkDisconnected(peer, closedByPeer)) : List.of();
        }
        phase = Phase.SYNCING;
        yield read(peer);
      }
      case Registration.Refused refused ->
          phase == Phase.CLOSED || greeted == null
              ? List.of()
              : refuse(Optional.of(peer.worker()), refused);
    };
  }

  private List<GatewayCommand> refuse(Optional<WorkerId> worker, Registration.Refused refused) {
    var commands = new ArrayList<GatewayCommand>();
    commands.add(new GatewayCommand.Refuse(worker, refused));
    commands.addAll(close("rejected: " + refused.reason()));
    return commands;
  }

  /** A hint arrived, or a second passed: reads the mailbox, once more if a read is under way. */
  public List<GatewayCommand> wake() {
    if (phase == Phase.AWAITING_HELLO && ++wakesBeforeHello > WAKES_BEFORE_HELLO_MAX) {
      return close("no hello came");
    }
    if (phase != Phase.OPEN && phase != Phase.SYNCING) {
      return List.of();
    }
    if (reading) {
      readAgain = true;
      return List.of();
    }
    return read(peer());
  }

  private List<GatewayCommand> read(Peer peer) {
    reading = true;
    var assigned = greeted == null ? List.<DispatchId>of() : greeted.dispatches().assigned();
    return List.of(new GatewayCommand.ReadMailbox(peer, assigned));
  }

  /** All active tasks of the worker, read while this connection was its registered one. */
  public List<GatewayCommand> mailbox(List<MailboxEntry> entries) {
    reading = false;
    if (greeted == null || (phase != Phase.SYNCING && phase != Phase.OPEN)) {
      return List.of();
    }
    var commands = new ArrayList<GatewayCommand>();
    if (phase == Phase.SYNCING) {
      phase = Phase.OPEN;
      commands.add(ServerMessages.welcome(settings));
    }
    commands.addAll(counted(greeted.dispatches().compare(entries)));
    if (readAgain) {
      readAgain = false;
      commands.addAll(read(peer()));
    }
    return commands;
  }

  /**
   * Dispatches just committed to this worker, delivered without a read of the mailbox. Ignored
   * before the first mailbox and after the end: a read finds them.
   */
  public List<GatewayCommand> claimed(List<MailboxEntry> entries) {
    if (reading) {
      // That read may be older than the claim, and would take back dispatches that it lacks.
      readAgain = true;
      return List.of();
    }
    return greeted == null || phase != Phase.OPEN
        ? List.of()
        : greeted.dispatches().claimed(entries);
  }

  /** Another session or connection of the worker is registered: no message here counts. */
  public List<GatewayCommand> superseded() {
    reading = false;
    return phase == Phase.CLOSED ? List.of() : close("superseded by a newer connection");
  }

  /** The worker sends heartbeats far more often than requested ({@link HeartbeatRate}). */
  public List<GatewayCommand> heartbeatsTooOften() {
    return phase == Phase.CLOSED
        ? List.of()
        : close(
            "too many heartbeats: one is wanted every %d ms"
                .formatted(settings.heartbeatInterval().toMillis()));
  }

  private List<GatewayCommand> told(Heard heard, Greeted by) {
    var dispatches = by.dispatches();
    return switch (heard) {
      case Heard.Started started -> applied(dispatches, dispatches.started(started));
      case Heard.Ended ended -> applied(dispatches, List.of(dispatches.ended(ended)));
      case Heard.Results(var results) -> {
        var events = new ArrayList<WorkerEvent>(results.size());
        for (var result : results) {
          if (result instanceof Heard.Started started) {
            events.addAll(dispatches.started(started));
          } else if (result instanceof Heard.Ended ended) {
            events.add(dispatches.ended(ended));
          }
        }
        yield applied(dispatches, events);
      }
      case Heard.Heartbeat heartbeat -> reported(by.hello().worker().peer(), heartbeat, dispatches);
      case Heard.Acked(var ids) -> {
        dispatches.acked(ids);
        yield List.of();
      }
      case Heard.Draining _ -> List.of(new GatewayCommand.Drain(by.hello().worker().peer()));
      case Heard.Hello _, Heard.BadHello _, Heard.Unknown _, Heard.Malformed _ -> List.of();
    };
  }

  private List<GatewayCommand> applied(KnownDispatches dispatches, List<WorkerEvent> events) {
    if (dispatches.size() > settings.limits().idsMax()) {
      return close("more than " + settings.limits().idsMax() + " dispatches on one connection");
    }
    if (awaiting + events.size() > settings.limits().awaitingMax()) {
      return close("more than " + settings.limits().awaitingMax() + " messages await their answer");
    }
    return events.isEmpty() ? List.of() : counted(List.of(new GatewayCommand.Apply(events)));
  }

  private List<GatewayCommand> counted(List<GatewayCommand> commands) {
    for (var command : commands) {
      if (command instanceof GatewayCommand.Apply(var events)) {
        awaiting += events.size();
      }
    }
    return commands;
  }

  private List<GatewayCommand> reported(
      Peer peer, Heard.Heartbeat heartbeat, KnownDispatches dispatches) {
    long number = heartbeat.load().number();
    if (number <= lastHeartbeat) {
      return close("heartbeat " + number + " after heartbeat " + lastHeartbeat);
    }
    lastHeartbeat = number;
    var commands = new ArrayList<GatewayCommand>();
    // continues only if this connection is still the worker's registered one
    commands.add(new GatewayCommand.Touch(peer, heartbeat.load().with(dispatches.unwritten())));
    commands.add(ServerMessages.heartbeatSeen(number));
    commands.addAll(applied(dispatches, dispatches.reported(heartbeat.active())));
    return commands;
  }

  /** Answers to applied events, after commit. */
  public List<GatewayCommand> settled(List<Settlement> settlements) {
    awaiting -= settlements.size();
    return greeted == null || phase != Phase.OPEN
        ? List.of()
        : counted(greeted.dispatches().settled(settlements, reading));
  }

  /** The dispatches of the last Rebind that are now bound to this session. */
  public List<GatewayCommand> rebound(Collection<DispatchId> dispatches) {
    return greeted == null || phase != Phase.OPEN
        ? List.of()
        : greeted.dispatches().rebound(dispatches);
  }

  /**
   * The stream ended, from either side. Call it once.
   *
   * @param byPeer the other side closed the connection
   */
  public List<GatewayCommand> closed(boolean byPeer) {
    closedByPeer = byPeer && phase != Phase.CLOSED;
    over = true;
    phase = Phase.CLOSED;
    return registered
        ? List.of(new GatewayCommand.MarkDisconnected(peer(), closedByPeer))
        : List.of();
  }

  /** This replica stops; the agent connects to another one. */
  public List<GatewayCommand> shutdown() {
    return phase == Phase.CLOSED ? List.of() : close("the server is shutting down");
  }

  private List<GatewayCommand> close(String reason) {
    phase = Phase.CLOSED;
    return List.of(new GatewayCommand.Close(reason));
  }

  private Peer peer() {
    if (greeted == null) {
      throw new IllegalStateException("no hello yet");
    }
    return greeted.hello().worker().peer();
  }
}
