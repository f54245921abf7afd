package dev.belay.simulation;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.reap.ReapGrace;
import dev.belay.domain.settle.RetryCondition;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.deadletter.GiveUp;
import dev.belay.engine.dispatch.Conflicts;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.RateTokens;
import dev.belay.engine.dispatch.Roster;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.gateway.DatabaseClock;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.leader.Leader;
import dev.belay.engine.leader.Tick;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.PlanWriter;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.QueueStore;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.RefusedHellos;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.ScheduleReads;
import dev.belay.engine.port.TriggerMeters;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.reap.DatabaseUptime;
import dev.belay.engine.reap.Reaper;
import dev.belay.engine.reap.SafeClock;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.schedule.BackfillMeters;
import dev.belay.engine.schedule.BackfillPhase;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.statement.DeadLetterStatements.Hopeless;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.trigger.ChainPhase;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.workflow.CelRetryCondition;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One replica: the real engine and gateway; its threads are events, and die or freeze with it. */
final class SimulatedServer {
  private static final Instant FAR_AWAY = Instant.parse("2100-01-01T00:00:00Z");
  private static final Duration SWITCH_MAX = Duration.ofMillis(2);
  private static final Duration CLAIM_MAX = Duration.ofMillis(30);
  private static final Duration FROZEN_MIN = Duration.ofSeconds(1);
  private static final Duration FROZEN_MAX = Duration.ofSeconds(45);
  private static final Duration LOCK_FREED_MAX = Duration.ofSeconds(10);
  private static final int WORKFLOWS_CACHED_MAX = 10;
  private static final int CHAIN_DEPTH_MAX = 100;
  private static final int BACKFILL_BATCH = 3;
  private static final int BACKFILL_READ = 2;
  private static final int GIVE_UP_BATCH = 2;

  /** Often, so that it meets claims. */
  private static final Duration GIVE_UP_EVERY = Duration.ofMillis(300);

  private final Site site;
  private final World world;
  private final int slot;
  private final String name;
  private final Host host;
  private final StoreCalls calls;
  private final Transactions transactions;
  private final Election lock;
  private final SafeClock sureTime;
  private final ReapGrace reapGrace;
  private final DatabaseClock databaseClock = new DatabaseClock();
  private final DispatchStore dispatches;
  private final WaitingQueues waiting;
  private final Roster roster;
  private final QueueCatalog queues;
  private final Leader leader;
  private final Gateway gateway;
  private final Api api;
  private final List<SteppedLoop> loops = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private final Signal wakeTick = new Signal();
  private final Signal wakeElection = new Signal();
  private final Signal wakeChains = new Signal();
  private final Signal wakeBackfills = new Signal();
  private final BackfillPhase backfills;

  /** Without a clock, so that a seed decides everything. */
  private static final RetryCondition RETRY_CONDITION = new CelRetryCondition(() -> 0);

  /** Shared by all replicas. */
  record Site(
      World world,
      Store store,
      StoreTrouble trouble,
      Expressions expressions,
      Rules rules,
      Supplier<Replicas> replicas,
      Runnable onWrite) {}

  SimulatedServer(Site site, int slot) {
    this.site = site;
    this.world = site.world();
    this.slot = slot;
    this.name = "server-" + (slot + 1);
    this.host = new Host(world, this::perform);
    this.calls = new StoreCalls(world, site.store(), site.trouble(), this, site.onWrite());
    var rules = site.rules();
    var hints = new SentHints(world, site.replicas(), this);
    var wakeResults = new Signal();
    var retries = new RetryDecision(world.chance.random(), Rules.WAITS, RETRY_CONDITION);
    var deadLetters = new DeadLetters(world.ids, false);
    this.dispatches = through(DispatchStore.class, site.store().dispatches());
    this.queues =
        new QueueCatalog(through(QueueStore.class, site.store().queues()), world.scheduler::nanos);
    this.waiting = new WaitingQueues(dispatches, rules.engine(), world.scheduler::nanos);
    this.roster = new Roster(dispatches, queues, waiting, rules.engine(), world.scheduler::nanos);
    this.transactions = through(Transactions.class, site.store().transactions());
    var writer = Sabotage.results(transactions, retries, deadLetters, rules.guards());
    var results =
        new ResultBatcher(
            rules.results(world, host, writer),
            hints,
            Meters.NONE,
            world.scheduler::nanos,
            rules.engine(),
            wakeResults,
            roster::over);
    this.gateway =
        new Gateway(
            new HeardWorkers(
                through(WorkerStore.class, site.store().workers()), world.hearing, world.trace),
            results,
            new GatewaySettings(
                name,
                Rules.HEARTBEAT,
                Rules.ABORT_GRACE,
                GatewaySettings.Limits.DEFAULT,
                rules.reap().lease()),
            RefusedHellos.NONE,
            job -> later(world.chance.upTo(SWITCH_MAX), job),
            databaseClock,
            world.scheduler::nanos);
    this.lock = site.store().election(name);
    this.reapGrace = new ReapGrace(rules.reap().grace());
    this.sureTime = new SafeClock(rules.reap(), world.scheduler::nanos);
    this.leader = leader(hints);
    this.api =
        Api.of(through(Intake.class, site.store().intake(world.ids, hints)), transactions, hints);
    loop("election", leader::elect, wakeElection);
    loop("tick", leader::tick, wakeTick);
    loop("results", results::runOnce, wakeResults);
    loop("mailboxes", this::pollMailboxes, new Signal());
    var pulse = new DatabaseUptime(rules.reap().grace().databaseGap(), world.scheduler::nanos);
    loop("reap", reaper(writer, pulse, hints)::runOnce, new Signal());
    var heartbeat = site.store().heartbeat(name, rules.reap(), world.scheduler::nanos);
    loop("beat", () -> beat(heartbeat, pulse), new Signal());
    if (world.scenario.hasSchedules()) {
      loop("schedules", schedules(hints)::runOnce, new Signal());
    }
    if (world.scenario.hasChains()) {
      loop("chains", chains(hints)::runOnce, wakeChains);
    }
    if (world.scenario.givesUp()) {
      var giveUp = new GiveUp(transactions, deadLetters, hints, Meters.NONE);
      loop("give-up", () -> giveUp(giveUp), new Signal());
    }
    this.backfills = backfills(hints);
    if (world.scenario.hasBackfills()) {
      loop("backfills", backfills::runOnce, wakeBackfills);
    }
  }

  /** Perhaps wrongly: the router does not know yet that a worker came. */
  private Duration giveUp(GiveUp giveUp) {
    leader
        .trusted()
        .ifPresent(
            epoch -> {
              List<Hopeless> hopeless =
                  GivenUps.hopeless(queues.ids(List.of(Clients.HOPELESS)).values());
              try {
                giveUp.runOnce(epoch, hopeless, site.store().routing().version(), GIVE_UP_BATCH);
              } catch (Deposed deposed) {
                world.trace.say(name, "gives up no more: deposed");
              }
            });
    return GIVE_UP_EVERY;
  }

  private Leader leader(Hints hints) {
    var rules = site.rules();
    var plans = through(PlanReads.class, site.store().plans());
    var plan =
        new PlanPhase(
            plans,
            new PlanWriter(transactions, queues, Meters.NONE),
            new Workflows(plans, SpecCodec::fromJson, WORKFLOWS_CACHED_MAX),
            new Planner(site.expressions()),
            world.ids,
            hints);
    var pool =
        new DispatchPool(
            job -> later(world.chance.upTo(CLAIM_MAX), job),
            rules.engine().dispatchThreads(),
            rules.engine().dispatchQueue(),
            wakeTick::raise);
    var dispatch =
        new DispatchPhase(
            new DispatchPhase.Parts(
                dispatches,
                queues,
                waiting,
                roster,
                new dev.belay.engine.dispatch.Rules(
                    through(RoutingReads.class, site.store().routing()),
                    rules.engine(),
                    world.scheduler::nanos),
                new RateTokens(transactions, world.scheduler::nanos),
                new Conflicts(
                    new Conflicts.Parts(transactions, waiting, roster, hints, Meters.NONE),
                    world.scheduler::nanos),
                world.ids,
                gateway,
                hints),
            DispatchPhase.Choosing.DEFAULT,
            pool,
            rules.engine(),
            this::sureTime,
            this::drifted);
    var tick =
        new Tick(
            new Tick.Phases(
                plan, new Promotion(transactions, dispatches, Meters.NONE), dispatch, dispatches),
            rules.engine(),
            rules.leader(),
            world.scheduler::nanos,
            Meters.NONE);
    return new Leader(
        through(Election.class, lock),
        tick,
        rules.leader(),
        new Leader.Signals(wakeTick, wakeElection, hints),
        world.scheduler::nanos);
  }

  /** Nobody but the leader claims, so it knows of each dispatch while it is the leader. */
  private void drifted(Epoch epoch, int unknown, int elsewhere) {
    if (unknown > 0 && transactions.asLeader(epoch, statements -> true)) {
      throw new InvariantBroken(
          Invariant.LIMITS, name + " leads and did not know of " + unknown + " dispatches");
    }
  }

  private Instant sureTime() {
    return site.rules().guards().has(RaceGuard.SAFE_CLOCK) ? sureTime.now() : FAR_AWAY;
  }

  private Reaper reaper(ResultWriter results, DatabaseUptime pulse, Hints hints) {
    var rules = site.rules();
    var reads = through(ReapReads.class, site.store().reaps(rules.reap()));
    return new Reaper(
        reads,
        Sabotage.reaps(transactions, reads, results, rules.reap(), roster::over, rules.guards()),
        rules.reap(),
        rules.engine().tick(),
        leader::trusted,
        pulse::steadyFor,
        reapGrace,
        hints,
        Meters.NONE,
        world.scheduler::nanos);
  }

  private ChainPhase chains(Hints hints) {
    RunParams params =
        requests ->
            requests.stream()
                .<RunParams.Answer>map(request -> new RunParams.Answer.Resolved("{}"))
                .toList();
    return new ChainPhase(
        through(ChainReads.class, site.store().chains()),
        transactions,
        new ChainPhase.Starts(params, SpecCodec::triggerFromJson, world.ids, CHAIN_DEPTH_MAX),
        leader::trusted,
        hints,
        TriggerMeters.NONE);
  }

  /** A run ended. */
  void chainSoon() {
    wakeChains.raise();
  }

  private SchedulePhase schedules(Hints hints) {
    return new SchedulePhase(
        new SchedulePhase.Parts(
            through(ScheduleReads.class, site.store().schedules()),
            transactions,
            requests ->
                requests.stream()
                    .map(request -> (RunParams.Answer) new RunParams.Answer.Resolved("{}"))
                    .toList(),
            json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
            world.ids,
            hints,
            Meters.NONE,
            Runnable::run),
        leader::trusted,
        Rules.SCHEDULES);
  }

  private BackfillPhase backfills(Hints hints) {
    return new BackfillPhase(
        transactions,
        Backfills::resolve,
        new BackfillPhase.Parts(
            Backfills::instants, json -> Map.of(), world.ids, hints, BackfillMeters.NONE),
        new BackfillPhase.Settings(BACKFILL_BATCH, BACKFILL_READ, Rules.TICK),
        leader::trusted,
        world.scheduler::nanos);
  }

  private <T> T through(Class<T> port, T real) {
    return calls.through(port, real);
  }

  private void loop(String loop, Supplier<Duration> step, Signal signal) {
    loops.add(new SteppedLoop(this, world, loop, step, signal));
  }

  private Duration pollMailboxes() {
    gateway.poll();
    return Rules.MAILBOX_POLL;
  }

  private Duration beat(Supplier<Instant> heartbeat, DatabaseUptime pulse) {
    long asked = world.scheduler.nanos();
    var databaseNow = calls.around("beat", heartbeat);
    long answered = world.scheduler.nanos();
    databaseClock.look(databaseNow, asked, answered);
    reapGrace.look(asked, answered, databaseNow);
    sureTime.look(databaseNow);
    pulse.beat();
    return Rules.BEAT;
  }

  void start() {
    world.trace.say(name, "starts");
    loops.forEach(loop -> loop.sleep(world.chance.upTo(SWITCH_MAX)));
  }

  String name() {
    return name;
  }

  int slot() {
    return slot;
  }

  boolean isAlive() {
    return !host.isDead();
  }

  boolean isAwake() {
    return host.isAwake();
  }

  boolean leads() {
    return leader.epoch().isPresent();
  }

  Api api() {
    return api;
  }

  void hinted(SentHints.Hint hint) {
    switch (hint) {
      case SentHints.Hint.WorkReady _ -> wakeTick.raise();
      case SentHints.Hint.Queues(var named) -> {
        waiting.hint(named);
        wakeTick.raise();
      }
      case SentHints.Hint.WorkReadyElsewhere _ -> {
        roster.doubt();
        wakeTick.raise();
      }
      case SentHints.Hint.RunChanged _ -> {
        leader.planSoon();
        wakeTick.raise();
        if (backfills.isActive()) {
          wakeBackfills.raise();
        }
      }
      case SentHints.Hint.DueIn(Duration after) -> leader.dueIn(after);
      case SentHints.Hint.Mailbox(WorkerId worker) -> gateway.hint(worker);
      case SentHints.Hint.LeaderLeft _ -> wakeElection.raise();
    }
  }

  void campaignSoon() {
    run(wakeElection::raise);
  }

  /** Runs a step of a thread of this replica, unless it is dead by then. */
  void later(Duration delay, Runnable job) {
    host.later(delay, job);
  }

  void run(Runnable job) {
    host.run(job);
  }

  private void perform(Runnable job) {
    try {
      job.run();
    } catch (ServerDied died) {
      // it died in the middle of this; nothing continues
    }
    loops.forEach(SteppedLoop::attend);
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

  /** Dies at once; its peers and the database notice over time. */
  void crash() {
    if (isAlive()) {
      world.trace.say(name, "crashes");
      host.die();
      world.after(world.chance.upTo(LOCK_FREED_MAX), lock::resign);
      List.copyOf(links).forEach(Link::serverDied);
      site.replicas().get().died(this);
    }
  }

  /** The leader's session ends. */
  void loseLock() {
    world.trace.say(name, "loses the leader lock");
    lock.resign();
  }

  /**
   * Freezes in the middle of a call, as in a long pause of its machine. Its lock times out and
   * another replica takes over; then it continues as if nothing had happened.
   */
  void freeze() {
    if (!host.isAwake()) {
      return;
    }
    world.trace.say(name, "freezes");
    host.freeze();
    site.replicas().get().tellHearing();
    world.after(
        LOCK_FREED_MAX,
        () -> {
          if (host.isFrozen() && isAlive()) {
            loseLock();
          }
        });
    world.scheduler.interleave(world.lasting(world.chance.between(FROZEN_MIN, FROZEN_MAX)));
    if (isAlive()) {
      world.trace.say(name, "thaws");
    }
    host.thaw();
    site.replicas().get().tellHearing();
  }
}
