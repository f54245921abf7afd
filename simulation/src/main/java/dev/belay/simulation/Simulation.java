package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.spec.Expressions;
import dev.belay.engine.port.Hints;
import dev.belay.simulation.Coverage.Kind;
import dev.belay.workflow.CelExpressions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one scenario: faults for a while, then calm, in which everything must end. */
public final class Simulation {
  private static final double SUBMITTED_WITHIN = 0.7;
  private static final Duration CALM_MAX = Duration.ofMinutes(60);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration RESUME_AFTER = Duration.ofSeconds(60);
  private static final Duration TRIGGERS_END_AFTER = Duration.ofSeconds(90);
  private static final Duration CLOCK_STEP_MIN = Duration.ofMillis(500);
  private static final Duration CLOCK_STEP_MAX = Duration.ofMinutes(3);
  private static final Duration STEPS_SOON = Duration.ofSeconds(60);
  private static final double STEPS_AFTER_CUT = 0.5;
  private static final Duration AWAY_SOON = Duration.ofMillis(600);
  private static final double HANGS_UP_BEFORE = 0.4;
  private static final double HANGS_AT_LAST = 0.06;
  private static final int LINES_MAX = 400;

  /** Thread-safe, and slow to create. */
  private static final Expressions EXPRESSIONS = new CelExpressions();

  private final Scenario scenario;
  private final World world;
  private final Store store;
  private final StoreTrouble trouble;
  private final Replicas replicas;
  private final Clients clients;
  private final Invariants invariants;
  private final List<SimulatedAgent> agents = new ArrayList<>();
  private boolean written;

  /** The address of a migrated database without other users. */
  public record DatabaseAddress(String jdbcUrl, String user, String password) {}

  private Simulation(World world, Store store) {
    this.scenario = world.scenario;
    this.world = world;
    this.store = store;
    this.trouble = new StoreTrouble(world);
    this.invariants = new Invariants(store.observed(), world);
    var site =
        new SimulatedServer.Site(
            world,
            store,
            trouble,
            EXPRESSIONS,
            Rules.of(scenario.guards()),
            this::replicas,
            () -> written = true);
    this.replicas = new Replicas(world, trouble, slot -> new SimulatedServer(site, slot));
    this.clients = new Clients(world, replicas, store.observed(), invariants::checkAccepted);
    agent(List.of("default"), 2);
    agent(List.of("default", "other"), 3);
    agent(List.of("default", "other"), 1);
    // its tasks wait for it alone, so it may deliver a late success of an attempt that was given up
    agent(List.of("default", "rare"), 2);
  }

  private Replicas replicas() {
    return replicas;
  }

  private void agent(List<String> pools, int slots) {
    agents.add(new SimulatedAgent(world, replicas, "agent-" + (agents.size() + 1), pools, slots));
  }

  /** Events that must occur in many seeds. */
  public static Set<String> expected(Kind kind) {
    return Expected.of(kind);
  }

  /** Uses the caller's store. A failure includes the last trace lines, which take a second run. */
  public static Result run(Scenario scenario, Store.Opening opening) {
    var result = run(scenario, opening, null);
    if (result.failure().isEmpty()) {
      return result;
    }
    var lines = new ArrayDeque<String>();
    run(
        scenario,
        opening,
        line -> {
          lines.add(line);
          if (lines.size() > LINES_MAX) {
            lines.removeFirst();
          }
        });
    return new Result(
        scenario,
        result.traceHash(),
        result.events(),
        result.faults(),
        result.coverage(),
        result.simulated(),
        result.failure().map(failure -> new Result.Failure(failure.message(), List.copyOf(lines))));
  }

  /** The same, and passes on each line of the trace. */
  public static Result trace(Scenario scenario, Store.Opening opening, Consumer<String> lines) {
    return run(scenario, opening, lines);
  }

  /** The real store; empties it first. */
  public static Store.Opening onPostgres(DatabaseAddress address) {
    return (clock, guards) -> {
      try {
        return new PostgresStore(
            new SimulatedDatabase(
                new SimulatedDatabase.Address(
                    address.jdbcUrl(), address.user(), address.password()),
                clock));
      } catch (SQLException failed) {
        throw new IllegalStateException("the database cannot be reached", failed);
      }
    };
  }

  private static Result run(
      Scenario scenario, Store.Opening opening, @Nullable Consumer<String> lines) {
    var world = new World(scenario, lines);
    try (var store = opening.open(world.databaseClock(), scenario.guards())) {
      return new Simulation(world, store).run();
    }
  }

  private Result run() {
    Optional<Result.Failure> failure = Optional.empty();
    try {
      begin();
      boolean more = true;
      while (more) {
        more = world.scheduler.step();
      }
      var thrown = world.scheduler.thrown();
      if (thrown == null && !world.scheduler.isUsedUp()) {
        checkEnd();
      }
      failure = Optional.ofNullable(thrown).map(Simulation::failure);
    } catch (InvariantBroken broken) {
      failure = Optional.of(failure(broken));
    } finally {
      replicas.close();
    }
    failure.ifPresent(it -> world.trace.say("world", "is broken:", it.message()));
    return new Result(
        scenario,
        world.trace.hash(),
        world.scheduler.steps(),
        world.coverage.total(Kind.FAULT),
        world.coverage,
        Duration.ofNanos(world.scheduler.nanos()),
        failure);
  }

  private static Result.Failure failure(Throwable thrown) {
    var what =
        thrown instanceof InvariantBroken broken
            ? broken.invariant().word() + ": " + broken.getMessage()
            : Invariant.NO_BUG.word() + ": " + thrown + " at " + place(thrown);
    return new Result.Failure(what, List.of());
  }

  private static String place(Throwable thrown) {
    var stack = thrown.getStackTrace();
    return stack.length == 0 ? "an unknown place" : stack[0].toString();
  }

  private void begin() {
    world.ledger.askWith(this::isOverInDatabase);
    world.ledger.askForBackfillsWith(run -> store.observed().backfills().of(run));
    world.scheduler.endAfter(scenario.stepsMax());
    world.scheduler.afterEach(this::afterStep);
    if (scenario.hasChains()) {
      var intake = store.intake(world.ids, Hints.NONE);
      Graphs.CHAINED.forEach(intake::register);
    }
    replicas.start(world.chance.between(2, 3));
    agents.forEach(SimulatedAgent::start);
    var within = Duration.ofNanos((long) (scenario.trouble().toNanos() * SUBMITTED_WITHIN));
    clients.begin(scenario.tasks(), scenario.runs(), within);
    beginTrouble();
    world.after(scenario.trouble(), this::endTrouble);
    world.after(scenario.trouble(), this::look);
    world.after(scenario.trouble().plus(RESUME_AFTER), clients::resumeAll);
    if (scenario.hasSchedules()) {
      world.after(scenario.trouble().plus(TRIGGERS_END_AFTER), this::endTriggers);
    }
  }

  private void endTriggers() {
    invariants.triggers().checkReplayed();
    clients.endTriggers();
  }

  private void beginTrouble() {
    for (var agent : agents) {
      breakNowAndThen(FaultKind.AGENT_CRASH, Duration.ofSeconds(100), agent, agent::crash);
      breakNowAndThen(FaultKind.AGENT_FROZEN, Duration.ofSeconds(90), agent, agent::freeze);
      breakNowAndThen(FaultKind.AGENT_DRAIN, Duration.ofSeconds(200), agent, agent::drain);
      breakNowAndThen(
          FaultKind.SUPERVISOR_CRASH, Duration.ofSeconds(200), agent, agent::crashWithSupervisor);
      breakNowAndThen(FaultKind.MACHINE_REBOOT, Duration.ofMinutes(5), agent, agent::reboot);
      breakNowAndThen(FaultKind.DISK_LOST, Duration.ofSeconds(400), agent, agent::loseDisk);
      world.every(FaultKind.ONE_WAY_CUT, Duration.ofSeconds(150), agent::block);
      world.every(FaultKind.NETWORK_CUT, Duration.ofSeconds(60), () -> cutOff(agent));
      world.every(FaultKind.AGENT_CLOCK_STEP, Duration.ofSeconds(400), agent::stepClock);
      removeNowAndThen(agent);
    }
    world.every(FaultKind.SERVER_CRASH, Duration.ofSeconds(100), replicas::crashAny);
    world.every(FaultKind.LEADERSHIP_LOST, Duration.ofSeconds(100), replicas::deposeLeader);
    world.every(FaultKind.STORE_AWAY, Duration.ofSeconds(150), this::loseStore);
    world.every(FaultKind.STORE_FAILS_BEFORE, Duration.ofMinutes(10), trouble::stick);
    world.every(FaultKind.CLOCK_STEP, Duration.ofSeconds(150), this::stepClock);
    if (scenario.elections().isPositive()) {
      electAgain();
    }
  }

  private void electAgain() {
    world.after(
        scenario.elections(),
        () -> {
          if (!world.isCalm()) {
            replicas.deposeLeader();
            electAgain();
          }
        });
  }

  /** A hanging preparation is detected only when no other fault occurs for long enough. */
  private void endTrouble() {
    for (var agent : agents) {
      if (world.mayGoWrong(FaultKind.PREPARE_HANGS) && world.chance.happens(HANGS_AT_LAST)) {
        agent.hangNext();
      }
    }
    world.calmDown();
  }

  private void breakNowAndThen(
      FaultKind kind, Duration mean, SimulatedAgent agent, Runnable trouble) {
    world.every(kind, mean, agent::mayBreak, trouble);
  }

  /** A network repair may come with a clock step soon after. */
  private void cutOff(SimulatedAgent agent) {
    agent.cutOff();
    if (world.goesWrong(FaultKind.CLOCK_STEP, STEPS_AFTER_CUT)) {
      world.after(
          world.chance.upTo(STEPS_SOON),
          () -> {
            if (!world.isCalm()) {
              stepClock();
            }
          });
    }
  }

  /** Often a part of the network fails with it, and workers disconnected just before. */
  private void loseStore() {
    for (var agent : agents) {
      if (world.goesWrong(FaultKind.STREAM_CUT, HANGS_UP_BEFORE)) {
        agent.loseConnection();
      }
    }
    world.after(world.chance.upTo(AWAY_SOON), trouble::leave);
  }

  /** Not a fault: a person tidies up, and is refused while the worker is alive. */
  private void removeNowAndThen(SimulatedAgent agent) {
    world.after(
        world.chance.about(Duration.ofMinutes(5)),
        () -> {
          if (!world.isCalm()) {
            clients.remove(agent.worker());
            removeNowAndThen(agent);
          }
        });
  }

  private void stepClock() {
    var step = world.chance.between(CLOCK_STEP_MIN, CLOCK_STEP_MAX);
    boolean back =
        world.databaseOffset().compareTo(CLOCK_STEP_MAX) > 0
            || (world.databaseOffset().compareTo(CLOCK_STEP_MAX.negated()) > 0
                && world.chance.happens(0.5));
    world.stepDatabaseClock(back ? step.negated() : step);
  }

  private boolean isOverInDatabase(DispatchId dispatch) {
    return store.observed().attempts(List.of(dispatch)).stream().allMatch(Observed.Attempt::ended);
  }

  private void afterStep() {
    invariants.noteTime();
    if (written || world.ledger.hasForgotten()) {
      written = false;
      invariants.check();
      checkBackfills();
      invariants.takeBlocked().forEach(clients::unblock);
      invariants.takeMoved().forEach(clients::mayTerminate);
      invariants.takeSeen().forEach(clients::saw);
    }
  }

  private void checkBackfills() {
    if (scenario.hasBackfills()) {
      clients.backfills().check();
    }
  }

  private void look() {
    boolean settled =
        clients.areAnswered()
            && agents.stream().allMatch(SimulatedAgent::isIdle)
            && world.scheduler.nanos() > scenario.trouble().plus(settledAfter()).toNanos()
            && store.observed().unfinished().isEmpty()
            && invariants.triggers().areDecided()
            && clients.backfills().areOver();
    var deadline = scenario.trouble().plus(CALM_MAX).toNanos();
    if (settled || world.scheduler.nanos() > deadline) {
      world.scheduler.stop();
    } else {
      world.after(LOOK, this::look);
    }
  }

  private Duration settledAfter() {
    return scenario.hasSchedules() ? TRIGGERS_END_AFTER : RESUME_AFTER;
  }

  private void checkEnd() {
    invariants.check();
    invariants.triggers().checkEnd();
    checkBackfills();
    clients.backfills().checkEnd();
    var left = store.observed().unfinished();
    end(left.isEmpty(), "not over after " + CALM_MAX + " of calm: " + left);
    end(clients.areAnswered(), "a client was never answered");
    for (var agent : agents) {
      end(agent.isIdle(), agent.name() + " still holds something");
    }
    end(world.ledger.liveProcesses() == 0, "processes still run");
    var found = invariants.runs() + " runs and " + invariants.tasks() + " tasks";
    // each of them has one task
    int started = invariants.chainedRuns() + invariants.triggers().caused();
    int runs = scenario.runs() + started + clients.backfills().runs();
    int tasks = clients.tasksWanted() + started + clients.backfills().tasks();
    var wanted = runs + " runs and " + tasks + " tasks";
    Invariants.unless(
        found.equals(wanted),
        Invariant.NOTHING_ACKNOWLEDGED_LOST,
        () -> found + " are there, not " + wanted);
  }

  private static void end(boolean reached, String message) {
    Invariants.unless(reached, Invariant.EVERYTHING_ENDS, () -> message);
  }
}
