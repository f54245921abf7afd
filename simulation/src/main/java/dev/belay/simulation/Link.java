package dev.belay.simulation;

import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.gateway.Stream;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an agent to a replica. Each direction keeps its order and takes its time. When
 * the connection breaks, what was on its way may still arrive or not, and each end notices on its
 * own.
 */
final class Link implements Gateway.Outbound {
  private static final Duration DELAY = Duration.ofMillis(40);
  private static final Duration DELAY_MAX = Duration.ofSeconds(3);
  private static final double DELAYED = 0.04;
  private static final Duration SERVER_NOTICES_MAX = Duration.ofSeconds(15);
  private static final Duration AGENT_NOTICES_MAX = Duration.ofSeconds(3);
  private static final double AGENT_NEVER_NOTICES = 0.15;
  private static final double ARRIVES_AFTER_CUT = 0.5;

  /**
   * A direction; what was sent before a cut arrives after it only if the direction still drains.
   */
  private final class Direction {
    private long lastArrival;
    private boolean drains = true;

    void send(Runnable arrives) {
      if (broken) {
        return;
      }
      var now = world.scheduler.nanos();
      lastArrival =
          Math.max(lastArrival, now + world.chance.mostly(DELAY, DELAYED, DELAY_MAX).toNanos());
      world.after(
          Duration.ofNanos(lastArrival - now),
          () -> {
            if (drains) {
              arrives.run();
            }
          });
    }
  }

  private final World world;
  private final SimulatedServer server;
  private final SimulatedAgent agent;
  private final Direction up = new Direction();
  private final Direction down = new Direction();
  private @Nullable Stream stream;
  private boolean broken;
  private boolean serverKnows;

  Link(World world, SimulatedServer server, SimulatedAgent agent) {
    this.world = world;
    this.server = server;
    this.agent = agent;
  }

  void open(Gateway gateway) {
    stream = gateway.open(this);
  }

  void sendUp(AgentMessage message) {
    mayBreak();
    up.send(() -> server.run(() -> receive(message)));
  }

  private void receive(AgentMessage message) {
    if (!serverKnows) {
      stream().received(message, () -> {});
    }
  }

  @Override
  public void send(ServerMessage message) {
    mayBreak();
    if (!serverKnows) {
      down.send(() -> agent.receive(this, message));
    }
  }

  /** The server ends it, after what it sent before. */
  @Override
  public void close(String reason) {
    if (!serverKnows) {
      world.trace.say(server.name(), "closes the stream of " + agent.name() + ": " + reason);
      down.send(() -> agent.disconnected(this));
      serverLearns();
    }
  }

  /** The agent ends it. */
  void hangUp() {
    up.send(() -> server.run(this::serverLearns));
    down.drains = false;
  }

  private void mayBreak() {
    if (!broken && world.goesWrong(world.faults().cutPerMessage())) {
      cut();
    }
  }

  void cut() {
    if (broken) {
      return;
    }
    world.trace.say("wire", agent.name() + " and " + server.name() + " are cut off");
    up.drains &= world.chance.happens(ARRIVES_AFTER_CUT);
    down.drains &= world.chance.happens(ARRIVES_AFTER_CUT);
    broken = true;
    server.later(world.chance.upTo(SERVER_NOTICES_MAX), this::serverLearns);
    if (!world.chance.happens(AGENT_NEVER_NOTICES)) {
      world.after(world.chance.upTo(AGENT_NOTICES_MAX), () -> agent.disconnected(this));
    }
  }

  private void serverLearns() {
    if (!serverKnows) {
      serverKnows = true;
      server.left(this);
      stream().closed(true);
    }
  }

  private Stream stream() {
    return Objects.requireNonNull(stream);
  }
}
