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
import java.util.random.RandomGenerator;

/**
 * The worker's end of a session: one process of a worker, over as many connections as it takes.
 *
 * <p>The way of a dispatch: Assign, Persist(prepared), Send(Acked) and Prepare; {@link #prepared},
 * Persist(started), Open, Send(Started); {@link #ended}, Persist(ended), Send(Finished), again on
 * each connection until Settled; Persist(settled), Forget.
 *
 * <p>A strict dispatch asks first: {@link #prepared}, Send(Started), Granted, Persist(started),
 * Lease, Open. It asks once on each connection, after the server has seen a heartbeat of it, and it
 * is stopped when its lease is over.
 *
 * <p>Between Hello and Welcome nothing is sent. At Welcome everything that the server may not know
 * is sent again, so a message that a broken connection swallowed needs no other care.
 */
public final class AgentSession {
  private enum Link {
    NEW,
    /** A connection is to be made. */
    WAITING,
    /** Hello is sent. */
    GREETING,
    WELCOMED,
    /** The adapter was told to disconnect; nothing more is heard or said. */
    CLOSING,
    GAVE_UP
  }

  /** Heartbeats that a server has answered when it counts as one that serves. */
  private static final int ANSWERS_MIN = 2;

  private final AgentProfile profile;
  private final AgentSettings settings;
  private final boolean journalComplete;
  private final boolean rebooted;
  private final HeldDispatches holdings;
  private final Backoff backoff;

  private Link link = Link.NEW;
  private long number;
  private boolean wasWelcomed;
  private long connection;
  private boolean draining;

  /** Empty when all is well. */
  private String trouble = "";

  private Duration heartbeatInterval;
  private long heartbeats;
  private boolean heartbeatDue;
  private long heartbeatNanos;
  private long nowNanos;
  private int answers;

  /** Servers in a row that took the hello, and have not seen a heartbeat in time. */
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
    this.holdings = new HeldDispatches(profile.slots(), settings.settledMax(), recovered);
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
   * The stream ended, whoever ended it, or could not be made: once for each ConnectAfter. After a
   * server that served for a while, the next one is called at once; after one that did not, a wait
   * keeps a fleet from hammering servers that welcome and drop.
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

  /** A message of the current stream. What cannot be understood ends the stream, not the agent. */
  public List<AgentCommand> received(ServerMessage message) {
    if (link != Link.GREETING && link != Link.WELCOMED) {
      return List.of();
    }
    heard = true;
    return switch (message.getKindCase()) {
      case WELCOME -> welcomed(message.getWelcome());
      case REJECT -> rejected(message.getReject());
      // a word of a newer server; it knows that this agent is older
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
   * A process with a higher number has joined as this worker. Before this one was welcomed, that
   * was an earlier one, and the count was lost with the file that held it. Afterwards it is another
   * one that has the same key: two would replace each other for ever, so the first to notice goes.
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
    return spoken(holdings.prepared(id, pid, atMs));
  }

  /** No process could be made. */
  public List<AgentCommand> prepareFailed(DispatchId id, String message, long atMs) {
    return spoken(holdings.prepareFailed(id, message, atMs));
  }

  /** This machine has no room for a process now; the dispatch may run elsewhere or later. */
  public List<AgentCommand> prepareRefused(DispatchId id, String reason, long atMs) {
    return spoken(holdings.prepareRefused(id, reason, atMs));
  }

  /**
   * What these announce could not be recorded: a dispatch that was taken, or its start. It does not
   * run here; the adapter does nothing of what stood behind the record. It forgets the process at
   * its latch when the dispatch {@link #isRefused}; otherwise the end of that process is still to
   * be told.
   */
  public List<AgentCommand> notRecorded(JournalEntry entry, String reason, long atMs) {
    return spoken(
        switch (entry) {
          case JournalEntry.Prepared prepared ->
              holdings.prepareRefused(prepared.dispatch(), reason, atMs);
          case JournalEntry.Started started -> holdings.startRefused(started.dispatch(), reason);
          // told to the server all the same; recorded when that is possible again
          case JournalEntry.Ended _, JournalEntry.Settled _ -> List.<AgentCommand>of();
        });
  }

  /** Told to stop before it began; its end comes by itself. */
  public boolean isStopped(DispatchId id) {
    return holdings.isStopped(id);
  }

  /** Not taken, and the server does not know that yet. */
  public boolean isRefused(DispatchId id) {
    return holdings.isRefused(id);
  }

  /**
   * While there is trouble no work is taken; the server hears of it with the next heartbeat, which
   * is due at once when it changes.
   *
   * @param trouble for people; empty when all is well
   */
  public void trouble(String trouble) {
    if (!trouble.equals(this.trouble)) {
      this.trouble = trouble;
      heartbeatDue = true;
    }
  }

  /** The process of an opened or stopped dispatch, and all that it started, is gone. */
  public List<AgentCommand> ended(Finished finished) {
    return spoken(holdings.ended(finished));
  }

  /**
   * Time passes, by a monotonic clock that goes on while the machine sleeps. Call it a few times in
   * each heartbeat interval.
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
            .setFreeSlots(draining || !trouble.isEmpty() ? 0 : holdings.freeSlots())
            .setCpuPercent(cpuPercent)
            .setTrouble(trouble);
    holdings.describe(heartbeat);
    holdings.heartbeatSent(heartbeats, nowNanos);
    return List.of(AgentMessages.heartbeat(heartbeat));
  }

  /**
   * A frozen server takes connections, too, and perhaps the hello: it must not cost as much as one
   * that served. But where none answers in time, nobody gains when a fleet goes round faster.
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

  /** Takes no more work; what runs goes on. */
  public List<AgentCommand> drain() {
    draining = true;
    return spoken(List.of(AgentMessages.draining()));
  }

  /** No process, and no outcome or refusal that the server has not settled. */
  public boolean isIdle() {
    return holdings.isIdle();
  }

  /** Nothing here needs to be looked at often: it is connected, holds nothing and owes nothing. */
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
