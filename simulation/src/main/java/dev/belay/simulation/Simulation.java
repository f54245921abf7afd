package dev.belay.simulation;

import dev.belay.workflow.CelExpressions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One seed: trouble for a while, then calm, in which everything must come to its end. */
public final class Simulation {
  private static final Duration TROUBLE = Duration.ofSeconds(90);
  private static final Duration SUBMITTED_WITHIN = Duration.ofSeconds(60);
  private static final Duration CALM_MAX = Duration.ofMinutes(40);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration SERVER_DOWN_MAX = Duration.ofSeconds(2);
  private static final int TASKS = 24;
  private static final int RUNS = 4;

  private final long seed;
  private final World world;
  private final Store store;
  private final Clients clients;
  private final Invariants invariants;
  private final List<SimulatedAgent> agents;
  private final CelExpressions expressions = new CelExpressions();
  private final List<SimulatedServer> servers = new ArrayList<>();
  private boolean written;
  private boolean done;
  private long steps;

  /** Where the database is; it must be migrated, and nobody else may use it. */
  public record DatabaseAddress(String jdbcUrl, String user, String password) {}

  /**
   * @param trace the same for each run of the seed
   * @param simulated how long it took, in simulated time
   */
  public record Result(long seed, String trace, long steps, Duration simulated) {}

  private Simulation(long seed, World world, Store store) {
    this.seed = seed;
    this.world = world;
    this.store = store;
    this.clients = new Clients(world);
    this.invariants = new Invariants(store.observed(), world.ledger, world.trace);
    this.agents =
        List.of(
            new SimulatedAgent(world, "agent-1", List.of("default"), 2),
            new SimulatedAgent(world, "agent-2", List.of("default", "other"), 3),
            new SimulatedAgent(world, "agent-3", List.of("default", "other"), 1));
  }

  /** Throws an AssertionError that tells the seed and what happened last. */
  public static Result run(long seed, Faults faults, DatabaseAddress address) throws SQLException {
    var world = new World(new Random(seed), faults);
    var database =
        new SimulatedDatabase(
            new SimulatedDatabase.Address(address.jdbcUrl(), address.user(), address.password()),
            world.scheduler);
    try (var store = new PostgresStore(database)) {
      return new Simulation(seed, world, store).run();
    }
  }

  private Result run() {
    try {
      begin();
      while (!done && world.scheduler.step()) {
        steps++;
        afterStep();
      }
      checkEnd();
    } catch (RuntimeException | Error failed) {
      throw new AssertionError(
          "seed " + seed + ": " + failed.getMessage() + "\n" + world.trace.tail(), failed);
    } finally {
      // their locks are real and outlive the simulation
      servers.forEach(SimulatedServer::crash);
    }
    return new Result(seed, world.trace.hash(), steps, Duration.ofNanos(world.scheduler.nanos()));
  }

  private void begin() {
    startServer();
    agents.forEach(SimulatedAgent::start);
    clients.begin(TASKS, RUNS, SUBMITTED_WITHIN);
    var faults = world.faults();
    for (var agent : agents) {
      world.every(faults.agentLives(), agent::crash);
      world.every(faults.drainEvery(), agent::drain);
    }
    world.every(faults.serverLives(), this::crashServer);
    world.every(faults.lockLostEvery(), this::loseLock);
    world.after(TROUBLE, world::calmDown);
    world.after(TROUBLE, this::look);
  }

  private void startServer() {
    var hooks = new SimulatedServer.Hooks(() -> written = true, this::startServer);
    var name = "server-" + (servers.size() + 1);
    var server = new SimulatedServer(world, store, expressions, name, hooks);
    servers.add(server);
    world.serve(server.start());
  }

  private void crashServer() {
    var server = world.server();
    if (server != null) {
      world.serve(null);
      server.crash();
      world.after(world.chance.upTo(SERVER_DOWN_MAX), this::startServer);
    }
  }

  private void loseLock() {
    var server = world.server();
    if (server != null) {
      server.loseLock();
    }
  }

  private void afterStep() {
    if (written || world.ledger.hasForgotten()) {
      written = false;
      invariants.check();
    }
  }

  private void look() {
    boolean settled =
        clients.areAnswered()
            && agents.stream().allMatch(SimulatedAgent::isIdle)
            && store.observed().unfinished().isEmpty();
    var deadline = TROUBLE.plus(CALM_MAX).toNanos();
    if (settled || world.scheduler.nanos() > deadline) {
      done = true;
    } else {
      world.after(LOOK, this::look);
    }
  }

  private void checkEnd() {
    invariants.check();
    var left = store.observed().unfinished();
    InvariantBroken.unless(left.isEmpty(), "not over after " + CALM_MAX + " of calm: " + left);
    InvariantBroken.unless(clients.areAnswered(), "a client was never answered");
    for (var agent : agents) {
      InvariantBroken.unless(agent.isIdle(), agent.name() + " still holds something");
    }
    InvariantBroken.unless(world.ledger.liveProcesses() == 0, "processes still run");
    InvariantBroken.unless(
        invariants.runs() == RUNS && invariants.tasks() == clients.tasksWanted(),
        invariants.runs()
            + " runs and "
            + invariants.tasks()
            + " tasks were accepted, not "
            + RUNS
            + " and "
            + clients.tasksWanted());
  }
}
