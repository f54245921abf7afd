package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.AgentProfile;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.AgentSettings;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A worker: its id and journal outlive its processes, each of which is one {@link Life}. */
final class SimulatedAgent {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration DOWN = Duration.ofMillis(200);
  private static final Duration DOWN_MAX = Duration.ofSeconds(6);
  private static final double DOWN_LONG = 0.4;
  private static final Duration DRAIN_MAX = Duration.ofSeconds(20);
  private static final double DRAINS_BY_STOPPING = 0.5;

  private final World world;
  private final String name;
  private final WorkerId worker;
  private final List<String> pools;
  private final int slots;
  private final List<JournalEntry> journal = new ArrayList<>();
  private boolean journalComplete = true;
  private Instant lastStart = Instant.EPOCH;
  private @Nullable Life life;

  SimulatedAgent(World world, String name, List<String> pools, int slots) {
    this.world = world;
    this.name = name;
    this.worker = new WorkerId(world.ids.next());
    this.pools = pools;
    this.slots = slots;
  }

  String name() {
    return name;
  }

  boolean isIdle() {
    return life != null && life.session.isIdle() && life.processes.isEmpty();
  }

  void start() {
    var now = world.scheduler.instant();
    lastStart = now.isAfter(lastStart) ? now : lastStart.plusMillis(1);
    var profile =
        new AgentProfile(
            worker,
            new SessionId(world.ids.next()),
            name,
            pools,
            slots,
            Map.of(),
            "1",
            "simulated",
            lastStart);
    var recovered = Recovered.replay(journal, journalComplete);
    world.trace.say(name, "starts, holding " + recovered.held().size());
    var begun =
        new Life(
            new AgentSession(profile, recovered, AgentSettings.DEFAULT, world.chance.random()));
    life = begun;
    begun.perform(begun.session.start());
    begun.tick();
  }

  void receive(Link from, ServerMessage message) {
    if (life != null && life.link == from) {
      life.received(message);
    }
  }

  void disconnected(Link from) {
    if (life != null && life.link == from) {
      life.disconnected();
    }
  }

  /** At once, with all its processes. */
  void crash() {
    if (life == null) {
      return;
    }
    world.trace.say(name, "crashes");
    if (life.link != null) {
      life.link.cut();
    }
    if (world.goesWrong(world.faults().journalLost())) {
      world.trace.say(name, "has lost its journal");
      journal.clear();
      journalComplete = false;
      world.ledger.journalLost(name);
    }
    end();
  }

  /** Takes no more work, waits until the server knows all, and ends. */
  void drain() {
    if (life == null || life.draining) {
      return;
    }
    world.trace.say(name, "drains");
    var drained = life;
    drained.draining = true;
    if (world.chance.happens(DRAINS_BY_STOPPING)) {
      drained.processes.stopOpen("graceful_shutdown");
    }
    drained.perform(drained.session.drain());
    world.after(
        DRAIN_MAX,
        () -> {
          if (life == drained) {
            crash();
          }
        });
  }

  private void leave() {
    world.trace.say(name, "leaves");
    if (life != null && life.link != null) {
      life.link.hangUp();
    }
    end();
  }

  private void end() {
    if (life != null) {
      life.processes.killAll();
      life = null;
      world.after(world.chance.mostly(DOWN, DOWN_LONG, DOWN_MAX), this::start);
    }
  }

  /** One process of the worker. Nothing of it acts once it is over. */
  private final class Life implements Processes.Listener {
    final AgentSession session;
    final Processes processes = new Processes(world, this);
    @Nullable Link link;
    boolean draining;

    Life(AgentSession session) {
      this.session = session;
    }

    boolean isOver() {
      return life != this;
    }

    void tick() {
      if (isOver()) {
        return;
      }
      perform(session.tick(world.scheduler.nanos(), 0));
      if (!isOver() && draining && isIdle()) {
        leave();
      } else {
        world.after(TICK, this::tick);
      }
    }

    void received(ServerMessage message) {
      perform(session.received(message));
    }

    void disconnected() {
      link = null;
      perform(session.disconnected());
    }

    @Override
    public void prepared(DispatchId dispatch) {
      perform(session.prepared(dispatch, 1, world.scheduler.millis()));
    }

    @Override
    public void prepareFailed(DispatchId dispatch) {
      perform(session.prepareFailed(dispatch, "no such file", world.scheduler.millis()));
    }

    @Override
    public void ended(Finished finished) {
      perform(session.ended(finished));
    }

    void perform(List<AgentCommand> commands) {
      for (var command : commands) {
        if (world.goesWrong(world.faults().crashPerCommand())) {
          crash();
        }
        if (isOver()) {
          return;
        }
        perform(command);
      }
    }

    private void perform(AgentCommand command) {
      switch (command) {
        case AgentCommand.Send(var message) -> {
          if (link != null) {
            link.sendUp(message);
          }
        }
        case AgentCommand.Persist(var entry) -> {
          journal.add(entry);
          world.ledger.recorded(name, entry);
        }
        case AgentCommand.Prepare(var dispatch) -> processes.prepare(dispatch);
        case AgentCommand.Lease _ -> {}
        case AgentCommand.Open(var dispatch) -> {
          world.trace.say(name, "opens " + Trace.brief(dispatch));
          processes.open(dispatch);
        }
        case AgentCommand.Stop(var dispatch, var reason, var _) -> {
          world.trace.say(name, "stops " + Trace.brief(dispatch) + " " + reason);
          processes.stop(dispatch, reason);
        }
        case AgentCommand.Forget _ -> {}
        case AgentCommand.ConnectAfter(var delay) -> unlessOver(delay, this::connect);
        case AgentCommand.Disconnect(var reason) -> hangUp(reason);
        case AgentCommand.GiveUp(var reason) ->
            throw new InvariantBroken(name + " gave up: " + reason);
      }
    }

    private void connect() {
      var server = world.server();
      if (server == null) {
        perform(session.disconnected());
      } else {
        world.trace.say(name, "connects to " + server.name());
        link = server.accept(SimulatedAgent.this);
        perform(session.connected());
      }
    }

    private void hangUp(String reason) {
      world.trace.say(name, "hangs up: " + reason);
      if (link != null) {
        link.hangUp();
        link = null;
      }
      unlessOver(Duration.ZERO, () -> perform(session.disconnected()));
    }

    private void unlessOver(Duration delay, Runnable action) {
      world.after(
          delay,
          () -> {
            if (!isOver()) {
              action.run();
            }
          });
    }
  }
}
