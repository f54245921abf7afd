package dev.belay.simulation;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.settle.Judge;
import dev.belay.domain.spec.Expressions;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.leader.Leader;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.PlanStore;
import dev.belay.engine.port.ResultStore;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One replica: the real engine and gateway; its threads are events, and die or freeze with it. */
final class SimulatedServer {
  private static final Duration TICK = Duration.ofSeconds(4);
  private static final Duration MAILBOX_POLL = Duration.ofSeconds(4);
  private static final Duration REPORT = Duration.ofSeconds(4);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration SWITCH_MAX = Duration.ofMillis(2);
  private static final Duration CLAIM_MAX = Duration.ofMillis(30);
  private static final Duration FROZEN_MAX = Duration.ofSeconds(10);
  private static final Duration SUCCESSOR_MAX = Duration.ofSeconds(3);
  private static final Duration LEFT_AFTER_FREEZE = Duration.ofSeconds(10);
  private static final int CLAIM_THREADS = 2;
  private static final int CLAIM_QUEUE = 4;
  private static final int WORKFLOWS_CACHED_MAX = 10;

  private final World world;
  private final String name;
  private final Runnable startSuccessor;
  private final StoreCalls calls;
  private final Election lock;
  private final Leader leader;
  private final Gateway gateway;
  private final Intake intake;
  private final List<SteppedLoop> loops = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final List<Runnable> held = new ArrayList<>();
  private final Signal wakeTick = new Signal();
  private final Signal wakeElection = new Signal();
  private boolean alive = true;
  private boolean frozen;

  SimulatedServer(World world, Store store, Expressions expressions, String name, Hooks hooks) {
    this.world = world;
    this.name = name;
    this.startSuccessor = hooks.startSuccessor();
    this.calls = new StoreCalls(world, this, hooks.onWrite());
    var settings = EngineSettings.of(CLAIM_THREADS, CLAIM_QUEUE).withTick(TICK);
    var limits = LeaderSettings.DEFAULT.withTick(TICK);
    var hints = new LossyHints();
    var wakeResults = new Signal();
    var judge = new Judge(world.chance.random());
    var results =
        new ResultBatcher(
            calls.through(ResultStore.class, store.results(judge)), hints, settings, wakeResults);
    this.gateway =
        new Gateway(
            calls.through(WorkerStore.class, store.workers()),
            results,
            new GatewaySettings(name, REPORT, GRACE, GatewaySettings.Limits.DEFAULT),
            job -> later(world.chance.upTo(SWITCH_MAX), job));
    this.lock = store.election(name);
    var plans = calls.through(PlanStore.class, store.plans());
    var plan =
        new PlanPhase(
            plans,
            new Workflows(plans, SpecCodec::fromJson, WORKFLOWS_CACHED_MAX),
            new Planner(expressions),
            world.ids,
            hints);
    var dispatches = calls.through(DispatchStore.class, store.dispatches());
    var pool =
        new DispatchPool(
            job -> later(world.chance.upTo(CLAIM_MAX), job),
            CLAIM_THREADS + CLAIM_QUEUE,
            wakeTick::raise);
    var dispatch =
        new DispatchPhase(
            dispatches, pool, world.ids, gateway, hints, settings, world.scheduler::nanos);
    this.leader =
        new Leader(
            calls.through(Election.class, lock),
            new Tick(
                new Tick.Phases(plan, dispatches, dispatch),
                settings,
                limits,
                world.scheduler::nanos,
                Meters.NONE),
            limits,
            new Leader.Signals(wakeTick, wakeElection, hints),
            world.scheduler::nanos);
    this.intake = calls.through(Intake.class, store.intake(world.ids, hints));
    loop("election", leader::elect, wakeElection);
    loop("tick", leader::tick, wakeTick);
    loop("results", results::runOnce, wakeResults);
    loop("mailboxes", this::pollMailboxes, new Signal());
  }

  /** What the world around is told. */
  record Hooks(Runnable onWrite, Runnable startSuccessor) {}

  private void loop(String loop, java.util.function.Supplier<Duration> step, Signal signal) {
    loops.add(new SteppedLoop(this, world, loop, step, signal));
  }

  private Duration pollMailboxes() {
    gateway.poll();
    return MAILBOX_POLL;
  }

  SimulatedServer start() {
    world.trace.say(name, "starts");
    loops.forEach(loop -> loop.sleep(world.chance.upTo(SWITCH_MAX)));
    return this;
  }

  String name() {
    return name;
  }

  boolean isAlive() {
    return alive;
  }

  Intake intake() {
    return intake;
  }

  /** Wakes the loops that were signalled. */
  private void attend() {
    loops.forEach(SteppedLoop::attend);
  }

  /**
   * Runs a piece of a thread of this replica, unless it is dead by then; when it thaws, if frozen.
   */
  void later(Duration delay, Runnable job) {
    world.after(delay, () -> run(job));
  }

  void run(Runnable job) {
    if (frozen) {
      held.add(job);
    } else if (alive) {
      try {
        job.run();
      } catch (ServerDied died) {
        // it was in the middle of this; nothing of it goes on
      }
      attend();
    }
  }

  Link accept(SimulatedAgent agent) {
    var link = new Link(world, this, agent);
    link.open(gateway);
    links.add(link);
    return link;
  }

  void left(Link link) {
    links.remove(link);
  }

  /** Dies at once; whoever is connected finds out by and by. */
  void crash() {
    if (alive) {
      world.trace.say(name, "crashes");
      alive = false;
      lock.resign();
      List.copyOf(links).forEach(Link::cut);
    }
  }

  /** The leader's connection breaks. */
  void loseLock() {
    world.trace.say(name, "loses the leader lock");
    lock.resign();
  }

  /**
   * Stands still in the middle of a call, as in a long pause of its machine. Its lock times out and
   * another replica takes over; then it goes on as if nothing had happened.
   */
  void freeze() {
    if (frozen || world.server() != this) {
      return;
    }
    world.trace.say(name, "freezes");
    frozen = true;
    world.serve(null);
    lock.resign();
    List.copyOf(links).forEach(Link::cut);
    world.after(world.chance.upTo(SUCCESSOR_MAX), startSuccessor);
    world.scheduler.interleave(world.chance.upTo(FROZEN_MAX));
    frozen = false;
    world.trace.say(name, "thaws");
    held.forEach(job -> later(Duration.ZERO, job));
    held.clear();
    world.after(LEFT_AFTER_FREEZE, this::crash);
  }

  private final class LossyHints implements Hints {
    @Override
    public void workReady() {
      hint(wakeTick::raise);
    }

    @Override
    public void runChanged() {
      hint(
          () -> {
            leader.planSoon();
            wakeTick.raise();
          });
    }

    @Override
    public void mailbox(WorkerId worker) {
      hint(() -> gateway.hint(worker));
    }

    @Override
    public void leaderLeft() {
      hint(wakeElection::raise);
    }

    private void hint(Runnable arrives) {
      if (!world.goesWrong(world.faults().hintLost())) {
        arrives.run();
        attend();
      }
    }
  }
}
