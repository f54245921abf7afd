package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.JournalEntry;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process of a worker. It does nothing once it is over, or while it is frozen. */
final class AgentLife implements Processes.Listener {
  private static final Duration TICK = Duration.ofSeconds(2);
  private static final Duration DRAIN_MAX = Duration.ofSeconds(20);
  private static final double DRAINS_BY_STOPPING = 0.5;
  private static final double CRASHES = 0.001;
  private static final double DIES_WITHOUT_ROOM = 0.6;
  private static final double CUT_WITHOUT_ROOM = 0.8;

  final Processes processes;
  private final World world;
  private final SimulatedAgent agent;
  private final AgentSession session;
  private final Host host;
  private @Nullable Link link;
  private boolean draining;

  AgentLife(World world, SimulatedAgent agent, AgentSession session) {
    this.world = world;
    this.agent = agent;
    this.session = session;
    this.host = new Host(world, Runnable::run);
    this.processes = new Processes(world, host, agent, agent::clockMillis, agent.slots(), this);
  }

  void begin() {
    perform(session.start());
    tick();
  }

  boolean isAwake() {
    return host.isAwake();
  }

  boolean isIdle() {
    return session.isIdle() && processes.isEmpty();
  }

  private void tick() {
    perform(session.tick(world.scheduler.nanos(), 0));
    if (draining && isIdle() && !host.isDead()) {
      agent.leave();
    } else {
      host.later(TICK, this::tick);
    }
  }

  void receive(Link from, ServerMessage message) {
    host.run(
        () -> {
          if (link == from) {
            perform(session.received(message));
            if (message.hasWelcome() && link == from) {
              perform(session.tick(world.scheduler.nanos(), 0));
            }
          }
        });
  }

  void disconnected(Link from) {
    host.run(
        () -> {
          if (link == from) {
            link = null;
            perform(session.disconnected());
          }
        });
  }

  @Override
  public void prepared(DispatchId dispatch) {
    perform(session.prepared(dispatch, 1, agent.clockMillis()));
  }

  @Override
  public void prepareFailed(DispatchId dispatch) {
    perform(session.prepareFailed(dispatch, "no such file", agent.clockMillis()));
  }

  @Override
  public void prepareRefused(DispatchId dispatch) {
    perform(session.prepareRefused(dispatch, "no resources", agent.clockMillis()));
    // where no process can start, the agent and its connection are at risk, too
    if (!host.isDead() && world.goesWrong(FaultKind.AGENT_CRASH, DIES_WITHOUT_ROOM)) {
      if (link != null && world.goesWrong(FaultKind.STREAM_CUT, CUT_WITHOUT_ROOM)) {
        link.cut();
      }
      agent.crash();
    }
  }

  @Override
  public void ended(Finished finished) {
    perform(session.ended(finished));
  }

  void drain() {
    if (draining) {
      return;
    }
    draining = true;
    world.trace.say(agent.name(), "drains");
    host.run(
        () -> {
          perform(session.drain());
          if (world.chance.happens(DRAINS_BY_STOPPING)) {
            processes.stopOpen("graceful_shutdown", Rules.ABORT_GRACE);
          }
        });
    world.after(
        DRAIN_MAX,
        () -> {
          if (agent.isCurrent(this)) {
            agent.crash();
          }
        });
  }

  void freeze(Duration length) {
    if (!host.isAwake()) {
      return;
    }
    world.trace.say(agent.name(), "freezes");
    host.freeze();
    world.after(
        length,
        () -> {
          if (!host.isDead()) {
            world.trace.say(agent.name(), "thaws");
            host.thaw();
          }
        });
  }

  void die() {
    host.die();
  }

  void hangUp(boolean died) {
    if (link != null) {
      link.hangUp(died);
      link = null;
    }
  }

  void loseConnection() {
    if (link != null) {
      link.reset();
    }
  }

  void vanish() {
    if (link != null) {
      link.vanish();
      link = null;
    }
  }

  private void perform(List<AgentCommand> commands) {
    for (var command : inOrder(commands)) {
      if (host.isDead()) {
        return;
      }
      if (world.goesWrong(FaultKind.AGENT_CRASH, CRASHES)) {
        agent.crash();
        return;
      }
      perform(command);
    }
  }

  /** Without its guard, the start is recorded after the process already runs. */
  private List<AgentCommand> inOrder(List<AgentCommand> commands) {
    if (world.scenario.guards().has(RaceGuard.JOURNAL_BEFORE_EXEC)) {
      return commands;
    }
    var late = new ArrayList<AgentCommand>();
    var order = new ArrayList<AgentCommand>();
    for (var command : commands) {
      boolean isStart =
          command instanceof AgentCommand.Persist(var entry)
              && entry instanceof JournalEntry.Started;
      (isStart ? late : order).add(command);
    }
    order.addAll(late);
    return order;
  }

  private void perform(AgentCommand command) {
    switch (command) {
      case AgentCommand.Send(var message) -> {
        if (link != null) {
          link.sendUp(message.toBuilder().setSentAtMs(agent.clockMillis()).build());
        }
      }
      case AgentCommand.Persist(var entry) -> agent.record(entry);
      case AgentCommand.Prepare(var dispatch) -> processes.prepare(dispatch);
      case AgentCommand.Lease(var untilNanos) -> processes.lease(untilNanos);
      case AgentCommand.Open(var dispatch) -> {
        world.trace.say(agent.name(), "starts the process of", dispatch);
        processes.open(dispatch);
      }
      case AgentCommand.Stop(var dispatch, var reason, var grace) -> {
        world.trace.say(agent.name(), "stops", dispatch, reason);
        processes.stop(dispatch, reason, grace);
      }
      case AgentCommand.Forget(var dispatch) -> world.trace.say(agent.name(), "forgets", dispatch);
      case AgentCommand.ConnectAfter(var delay) -> host.later(delay, this::connect);
      case AgentCommand.Disconnect(var reason) -> hangUp(reason);
      case AgentCommand.Renumber(var number) -> agent.renumber(number);
      case AgentCommand.GiveUp(var reason) ->
          throw new InvariantBroken(agent.name() + " gave up: " + reason);
    }
  }

  private void connect() {
    var server = agent.replicas().at(agent.nextServer());
    if (server.isEmpty()) {
      perform(session.disconnected());
      return;
    }
    world.trace.say(agent.name(), "connects to", server.get().name());
    link = server.get().accept(agent);
    perform(session.connected());
  }

  private void hangUp(String reason) {
    world.trace.say(agent.name(), "hangs up: " + reason);
    hangUp(false);
    host.later(Duration.ZERO, () -> perform(session.disconnected()));
  }
}
