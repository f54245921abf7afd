package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.gateway.WorkerStream;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an agent to a replica. Each direction delivers in order, with delays. When the
 * connection breaks, messages in flight may or may not arrive, and each end notices separately.
 */
final class Link implements Gateway.Outbound {
  private static final Duration DELAY = Duration.ofMillis(40);
  private static final Duration DELAY_MAX = Duration.ofSeconds(12);
  private static final double DELAYED = 0.015;
  private static final double DUPLICATED = 0.01;
  private static final double CUT = 0.006;
  private static final double REORDERED = 0.8;
  private static final Duration LAG_MAX = Duration.ofSeconds(3);

  private static final Duration SERVER_NOTICES_MAX = Duration.ofSeconds(30);
  private static final Duration AGENT_NOTICES_MAX = Duration.ofSeconds(3);
  private static final double AGENT_NEVER_NOTICES = 0.15;
  private static final double ARRIVES_AFTER_CUT = 0.5;

  /** A cut looks to the server like a close by the worker, because a middlebox closed it. */
  private static final double LOOKS_LIKE_PEER = 0.3;

  /** Delivers in order, and nothing while it is blocked. */
  private final class Direction {
    private final Blockade blockade;
    private long lastArrival;
    private long lagsUntil;
    private boolean drains = true;

    Direction(Blockade blockade) {
      this.blockade = blockade;
    }

    void send(Runnable arrives) {
      if (broken) {
        return;
      }
      long now = world.scheduler.nanos();
      var usual =
          world.goesWrong(FaultKind.MESSAGE_DELAYED, DELAYED)
              ? world.chance.upTo(DELAY_MAX)
              : world.chance.upTo(DELAY);
      lastArrival = Math.max(Math.max(lastArrival, blockade.until), now + usual.toNanos());
      arriveAt(lastArrival, arrives);
    }

    private void arriveAt(long nanos, Runnable arrives) {
      world.after(
          Duration.ofNanos(nanos - world.scheduler.nanos()),
          () -> {
            if (lagsUntil > world.scheduler.nanos()) {
              arriveAt(lagsUntil, arrives);
            } else if (drains) {
              arrives.run();
            }
          });
    }
  }

  /** Holds all messages until then. */
  static final class Blockade {
    private long until;

    void extend(long nanos) {
      until = Math.max(until, nanos);
    }
  }

  private final World world;
  private final SimulatedServer server;
  private final SimulatedAgent agent;
  private final Direction up;
  private final Direction down;
  private @Nullable WorkerStream stream;
  private Duration fastest = Duration.ofDays(1);
  private boolean broken;
  private boolean serverKnows;

  Link(World world, SimulatedServer server, SimulatedAgent agent) {
    this.world = world;
    this.server = server;
    this.agent = agent;
    this.up = new Direction(agent.blockade(server.slot(), true));
    this.down = new Direction(agent.blockade(server.slot(), false));
  }

  void open(Gateway gateway) {
    stream = gateway.open(this);
  }

  void sendUp(AgentMessage message) {
    mayBreak();
    up.send(() -> server.run(() -> receive(message)));
    if (world.goesWrong(FaultKind.MESSAGE_DUPLICATED, DUPLICATED)) {
      up.send(() -> server.run(() -> receive(message)));
    }
  }

  private void receive(AgentMessage message) {
    if (!serverKnows) {
      noteDelay(message);
      stream().received(message, () -> {});
    }
  }

  /** The server cannot tell the delay of the fastest message from an offset of the clocks. */
  private void noteDelay(AgentMessage message) {
    var delay =
        Duration.between(SimulatedAgent.really(message.getSentAtMs()), world.scheduler.instant());
    fastest = delay.compareTo(fastest) < 0 ? delay : fastest;
    if (message.hasStarted()) {
      world.ledger.told(DispatchId.of(message.getStarted().getDispatchId()), fastest);
    } else if (message.hasFinished()) {
      world.ledger.told(DispatchId.of(message.getFinished().getDispatchId()), fastest);
    }
  }

  @Override
  public void send(ServerMessage message) {
    if (serverKnows || !server.isAlive()) {
      return;
    }
    mayBreak();
    down.send(() -> agent.receive(this, message));
  }

  /** The server ends it, after the messages that it sent before. */
  @Override
  public void close(String reason) {
    if (!serverKnows && server.isAlive()) {
      world.trace.say(server.name(), "closes the stream of " + agent.name(), reason);
      down.send(() -> agent.disconnected(this));
      serverLearns(false);
    }
  }

  /**
   * The agent ends it.
   *
   * @param died with its process, as the kernel signals; else only the call is over
   */
  void hangUp(boolean died) {
    up.send(() -> server.run(() -> serverLearns(died)));
    down.drains = false;
  }

  private void mayBreak() {
    if (!broken && world.goesWrong(FaultKind.STREAM_CUT, CUT)) {
      cut();
    }
  }

  /** The network drops it. */
  void cut() {
    if (broken) {
      return;
    }
    world.trace.say("wire", agent.name() + " and " + server.name() + " are cut off");
    loseInFlight();
    server.later(
        world.chance.upTo(SERVER_NOTICES_MAX),
        () -> serverLearns(world.chance.happens(LOOKS_LIKE_PEER)));
    if (!world.chance.happens(AGENT_NEVER_NOTICES)) {
      world.after(world.chance.upTo(AGENT_NOTICES_MAX), () -> agent.disconnected(this));
    }
  }

  /** A middlebox closes it towards the server, which takes that for the agent's close. */
  void reset() {
    if (!broken) {
      loseInFlight();
      server.later(world.chance.upTo(DELAY), () -> serverLearns(true));
      world.after(world.chance.upTo(AGENT_NOTICES_MAX), () -> agent.disconnected(this));
    }
  }

  /** The agent's machine disappears without closing it. */
  void vanish() {
    if (!broken) {
      loseInFlight();
      down.drains = false;
      server.later(
          world.chance.upTo(SERVER_NOTICES_MAX),
          () -> serverLearns(world.chance.happens(LOOKS_LIKE_PEER)));
    }
  }

  /** The replica died; its kernel may or may not close it. */
  void serverDied() {
    if (!broken) {
      loseInFlight();
      if (!world.chance.happens(AGENT_NEVER_NOTICES)) {
        world.after(world.chance.upTo(AGENT_NOTICES_MAX), () -> agent.disconnected(this));
      }
    }
  }

  private void loseInFlight() {
    up.drains &= world.chance.happens(ARRIVES_AFTER_CUT);
    down.drains &= world.chance.happens(ARRIVES_AFTER_CUT);
    broken = true;
    if (up.drains && world.goesWrong(FaultKind.MESSAGE_REORDERED, REORDERED)) {
      up.lagsUntil = world.scheduler.nanos() + world.chance.upTo(LAG_MAX).toNanos();
    }
  }

  private void serverLearns(boolean byPeer) {
    if (!serverKnows) {
      serverKnows = true;
      server.left(this);
      stream().closed(byPeer);
    }
  }

  private WorkerStream stream() {
    return Objects.requireNonNull(stream);
  }
}
