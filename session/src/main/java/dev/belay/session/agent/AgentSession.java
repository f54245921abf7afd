package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Assign;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Reject;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Welcome;
import dev.belay.session.wire.WireId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/**
 * The worker's end of a session: one process of a worker, over any number of connections.
 *
 * <p>The path of a dispatch: Assign, Persist(prepared), Send(Acked) and Prepare; {@link #prepared},
 * Persist(started), Open, Send(Started); {@link #ended}, Persist(ended), Send(Finished), repeated
 * on each connection until Settled; Persist(settled), Forget.
 *
 * <p>A strict dispatch asks first: {@link #prepared}, Send(Started), Granted, Persist(started),
 * Lease, Open. It asks once on each connection, after the server has seen a heartbeat there, and is
 * stopped when its lease is over.
 *
 * <p>Between Hello and Welcome the agent sends nothing. At Welcome it repeats everything that the
 * server may not know, so a message that a broken connection lost needs no other handling.
 */
public final class AgentSession {
  private enum Link {
    NEW,
    /** Between two connections. */
    WAITING,
    /** Hello is sent. */
    GREETING,
    WELCOMED,
    /** The adapter was asked to disconnect; the session ignores and sends nothing more. */
    CLOSING,
    GAVE_UP
  }

  /** A server that answered this many heartbeats counts as serving. */
  private static final int ANSWERS_MIN = 2;

  private final AgentProfile profile;
  private final AgentSettings settings;
  private final boolean journalComplete;
  private final boolean rebooted;
  private final HeldDispatches holdings;
  private final Backoff backoff;
  private final FreeSlots freeSlots = new FreeSlots();

  private Link link = Link.NEW;
  private long number;
  private boolean wasWelcomed;
  private long connection;
  private boolean draining;

  /** Empty when all is well. */
  private String trouble = "";

  private OptionalDouble gpuPercent = OptionalDouble.empty();

  private Duration heartbeatInterval;
  private long heartbeats;
  private boolean heartbeatDue;
  private long heartbeatNanos;
  private long nowNanos;
  private int answers;

  /** Servers in a row that accepted the hello but saw no heartbeat in time. */
  private int unanswered;

  private boolean heard;
  private long heardNanos;

  public AgentSession(
      AgentProfile profile, Recovered recovered, AgentSettings settings, RandomGenerator random) {
    this.profile = profile;
    this.number = profile.identity().number();
    this.settings = settings;
    this.journalComplete = recovered.complete();
    this.rebooted = recovered.rebooted();
    this.holdings = new HeldDispatches(profile.offer().slots(), settings.settledMax(), recovered);
    this.backoff = new Backoff(settings.backoffMin(), settings.backoffMax(), random);
    this.heartbeatInterval = settings.heartbeatInterval();
  }

  public List<AgentCommand> start() {
    if (link != Link.NEW) {
      throw new IllegalStateException("started twice");
    }
    link = Link.WAITING;
    return List.of(new AgentCommand.ConnectAfter(Duration.ZERO));
  }

  public List<AgentCommand> connected() {
    if (link != Link.WAITING) {
      throw new IllegalStateException("connected while " + link);
    }
    link = Link.GREETING;
    connection++;
    answers = 0;
    heard = true;
    return List.of(
        AgentMessages.hello(
            profile, number, connection, holdings.forHello(), journalComplete, rebooted));
  }

  /**
   * The stream ended or could not be opened: call once for each ConnectAfter. After a server that
   * served for a while, the agent reconnects at once; otherwise it waits, so that a fleet does not
   * hammer servers that welcome and drop.
   */
  public List<AgentCommand> disconnected() {
    if (link == Link.GAVE_UP) {
      return List.of();
    }
    holdings.disconnected();
    boolean served = answers >= ANSWERS_MIN;
    answers = 0;
    link = Link.WAITING;
    return List.of(new AgentCommand.ConnectAfter(served ? Duration.ZERO : backoff.next()));
  }

  /** A message of the current stream. A malformed one ends the stream, not the agent. */
  public List<AgentCommand> received(ServerMessage message) {
    if (link != Link.GREETING && link != Link.WELCOMED) {
      return List.of();
    }
    heard = true;
    return switch (message.getKindCase()) {
      case WELCOME -> welcomed(message.getWelcome());
      case REJECT -> rejected(message.getReject());
      // from a newer server, which knows that this agent is older
      case KIND_NOT_SET -> List.of();
      case ASSIGN, SETTLED, ABORT, HEARTBEAT_SEEN, GRANTED ->
          link == Link.WELCOMED ? instructed(message) : disconnect("the server did not welcome");
    };
  }

  private List<AgentCommand> welcomed(Welcome welcome) {
    link = Link.WELCOMED;
    wasWelcomed = true;
    backoff.reset();
    heartbeatDue = true;
    heartbeatInterval =
        welcome.getHeartbeatIntervalMs() > 0
            ? Duration.ofMillis(welcome.getHeartbeatIntervalMs())
            : settings.heartbeatInterval();
    var commands = new ArrayList<AgentCommand>();
    if (draining) {
      commands.add(AgentMessages.draining());
    }
    commands.addAll(holdings.unsettled());
    return commands;
  }

  private List<AgentCommand> rejected(Reject reject) {
    if (reject.getPermanent()) {
      link = Link.GAVE_UP;
      return List.of(new AgentCommand.GiveUp(reject.getReason()));
    }
    return reject.getLastSessionNumber() >= number
        ? outnumbered(reject)
        : disconnect("rejected: " + reject.getReason());
  }

  /**
   * A process with a higher number has joined as this worker. Before the welcome, that is an
   * earlier process, and the count was lost with its file. After the welcome, it is a second
   * process with the same key: the two would replace each other endlessly, so the first to notice
   * gives up.
   */
  private List<AgentCommand> outnumbered(Reject reject) {
    if (wasWelcomed) {
      link = Link.GAVE_UP;
      return List.of(
          new AgentCommand.GiveUp(
              "another process has joined as worker "
                  + profile.identity().worker()
                  + " with its key. Was its state folder copied? Give each agent a folder of its"
                  + " own"));
    }
    number = reject.getLastSessionNumber() + 1;
    link = Link.CLOSING;
    return List.of(
        new AgentCommand.Renumber(number),
        new AgentCommand.Disconnect("rejected: " + reject.getReason()));
  }

  private List<AgentCommand> instructed(ServerMessage message) {
    if (!wellFormed(message)) {
      return disconnect("the server sent a malformed id");
    }
    return switch (message.getKindCase()) {
      case ASSIGN -> assigned(message.getAssign());
      case ABORT -> holdings.abort(message.getAbort());
      case SETTLED -> holdings.settled(message.getSettled().getSettlementsList());
      case HEARTBEAT_SEEN -> {
        answers++;
        unanswered = 0;
        yield holdings.heartbeatSeen(message.getHeartbeatSeen().getNumber());
      }
      case GRANTED ->
          holdings.granted(
              message.getGranted().getDispatchIdsList().stream().map(DispatchId::of).toList(),
              nowNanos);
      case WELCOME, REJECT, KIND_NOT_SET -> List.of();
    };
  }

  private static boolean wellFormed(ServerMessage message) {
    return switch (message.getKindCase()) {
      case ASSIGN ->
          message.getAssign().getDispatchesList().stream()
              .allMatch(d -> WireId.isUuid(d.getDispatchId()) && WireId.isUuid(d.getTaskId()));
      case ABORT -> WireId.isUuid(message.getAbort().getDispatchId());
      case SETTLED ->
          message.getSettled().getSettlementsList().stream()
              .allMatch(settlement -> WireId.isUuid(settlement.getDispatchId()));
      case GRANTED -> message.getGranted().getDispatchIdsList().stream().allMatch(WireId::isUuid);
      case HEARTBEAT_SEEN, WELCOME, REJECT, KIND_NOT_SET -> true;
    };
  }

  private List<AgentCommand> assigned(Assign assign) {
    if (holdings.size() + assign.getDispatchesCount() > settings.heldMax()) {
      return disconnect("too many dispatches are not settled");
    }
    var unwilling = draining ? "draining" : trouble.isEmpty() ? null : trouble;
    return holdings.assign(assign.getDispatchesList(), unwilling);
  }

  /** The latched process of a {@code Prepare} exists and has not run. */
  public List<AgentCommand> prepared(DispatchId id, long pid, long atMs) {
    freeSlots.room(nowNanos);
    return spoken(holdings.prepared(id, pid, atMs));
  }

  /** No process could be created. */
  public List<AgentCommand> prepareFailed(DispatchId id, String message, long atMs) {
    return spoken(holdings.prepareFailed(id, message, atMs));
  }

  /** This machine has no room for a process now; the dispatch may run elsewhere or later. */
  public List<AgentCommand> prepareRefused(DispatchId id, String reason, long atMs) {
    heartbeatDue |= freeSlots.noRoom(nowNanos);
    return spoken(holdings.prepareRefused(id, reason, atMs));
  }

  /**
   * The journal could not record that a dispatch was taken or started. It does not run here, and
   * the adapter skips the commands that followed the record. If the dispatch {@link #isRefused},
   * the adapter discards the latched process; otherwise it still reports that process's end.
   */
  public List<AgentCommand> notRecorded(JournalEntry entry, String reason, long atMs) {
    return spoken(
        switch (entry) {
          case JournalEntry.Prepared prepared ->
              holdings.prepareRefused(prepared.dispatch(), reason, atMs);
          case JournalEntry.Started started -> holdings.startRefused(started.dispatch(), reason);
          // sent to the server anyway, and recorded when that is possible again
          case JournalEntry.Ended _, JournalEntry.Settled _ -> List.<AgentCommand>of();
        });
  }

  /** Asked to stop before it began; its end follows. */
  public boolean isStopped(DispatchId id) {
    return holdings.isStopped(id);
  }

  /** Refused, and the server has not settled that yet. */
  public boolean isRefused(DispatchId id) {
    return holdings.isRefused(id);
  }

  /**
   * While there is trouble, the agent takes no work. The next heartbeat reports it, and is due at
   * once when it changes.
   *
   * @param trouble for people; empty when all is well
   */
  public void trouble(String trouble) {
    if (!trouble.equals(this.trouble)) {
      this.trouble = trouble;
      heartbeatDue = true;
    }
  }

  /** The next heartbeats report it; empty when it is not known. */
  public void gpuPercent(OptionalDouble percent) {
    gpuPercent = percent;
  }

  /** The process of an opened or stopped dispatch, and all its children, have ended. */
  public List<AgentCommand> ended(Finished finished) {
    return spoken(holdings.ended(finished));
  }

  /**
   * Advances the time, by a monotonic clock that also counts while the machine sleeps. Call it a
   * few times in each heartbeat interval.
   */
  public List<AgentCommand> tick(long nowNanos, double cpuPercent) {
    this.nowNanos = nowNanos;
    var commands = new ArrayList<>(holdings.expire(nowNanos));
    commands.addAll(converse(cpuPercent));
    return commands;
  }

  private List<AgentCommand> converse(double cpuPercent) {
    if (link != Link.GREETING && link != Link.WELCOMED) {
      return List.of();
    }
    if (heard) {
      heard = false;
      heardNanos = nowNanos;
    } else if (nowNanos - heardNanos >= patience().toNanos()) {
      unanswered += answers == 0 ? 1 : 0;
      return disconnect("the server is silent");
    }
    if (link != Link.WELCOMED
        || (!heartbeatDue && nowNanos - heartbeatNanos < heartbeatInterval.toNanos())) {
      return List.of();
    }
    heartbeatDue = false;
    heartbeatNanos = nowNanos;
    var heartbeat =
        Heartbeat.newBuilder()
            .setNumber(++heartbeats)
            .setFreeSlots(offeredSlots())
            .setCpuPercent(cpuPercent)
            .setTrouble(trouble);
    gpuPercent.ifPresent(heartbeat::setGpuPercent);
    holdings.describe(heartbeat);
    holdings.heartbeatSent(heartbeats, nowNanos);
    return List.of(AgentMessages.heartbeat(heartbeat));
  }

  private int offeredSlots() {
    return draining || !trouble.isEmpty() ? 0 : freeSlots.offered(holdings.freeSlots(), nowNanos);
  }

  /**
   * A frozen server may accept a connection and the hello; it must cost less than a server that
   * served. But when no server answers in time, faster rounds of a fleet only hurt.
   */
  private Duration patience() {
    if (link == Link.WELCOMED && answers > 0) {
      return settings.silenceMax();
    }
    Duration patience = settings.welcomeMax();
    for (int i = 0; i < unanswered && patience.compareTo(settings.silenceMax()) < 0; i++) {
      patience = patience.multipliedBy(2);
    }
    return patience.compareTo(settings.silenceMax()) < 0 ? patience : settings.silenceMax();
  }

  /** Takes no more work; running work continues. */
  public List<AgentCommand> drain() {
    draining = true;
    return spoken(List.of(AgentMessages.draining()));
  }

  /** No process, and no outcome or refusal that the server has not settled. */
  public boolean isIdle() {
    return holdings.isIdle();
  }

  /** The session needs no frequent ticks: it is connected, holds nothing and owes nothing. */
  public boolean isAtRest() {
    return link == Link.WELCOMED && holdings.isIdle() && !heartbeatDue;
  }

  private List<AgentCommand> disconnect(String reason) {
    link = Link.CLOSING;
    return List.of(new AgentCommand.Disconnect(reason));
  }

  private List<AgentCommand> spoken(List<AgentCommand> commands) {
    return link == Link.WELCOMED
        ? commands
        : commands.stream().filter(command -> !(command instanceof AgentCommand.Send)).toList();
  }
}
