package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.settle.RetryCondition;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.settle.StartBackoff;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RetryPolicy.Backoff;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.Fencing;
import dev.belay.domain.spec.RunPolicy.OnWorkerLost;
import dev.belay.domain.spec.RunPolicy.WorkerLoss;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.admit.DueTasks;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.reap.ReapWriter;
import dev.belay.engine.result.ResultWriter;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import dev.belay.simulation.Api;
import dev.belay.simulation.Intake.Keys;
import dev.belay.simulation.Intake.WantedTask;
import dev.belay.simulation.Observed;
import dev.belay.simulation.Observed.RunChange;
import dev.belay.simulation.Observed.TaskChange;
import dev.belay.simulation.Store;
import dev.belay.store.fixture.Candidates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store with the steps that tests of it begin with. Nobody has led it: epoch 0 is in force. */
final class Stage implements AutoCloseable {

  static final String POOL = "default";
  static final String REPLICA = "r1";
  static final WorkerKey KEY = WorkerKey.random(new Random(1));
  static final Duration BACKOFF = Duration.ofSeconds(10);

  /** Tried again once after an error, 10 s later, and once after a loss. */
  static final RunPolicy RETRIES = policy(WorkerLoss.DEFAULT);

  static final RunPolicy STRICT = policy(new WorkerLoss(OnWorkerLost.RETRY, Fencing.STRICT));

  final Store store;

  /** What the reaper said is over. */
  final List<DispatchId> reaped = new ArrayList<>();

  final SteppedClock clock;
  final Api intake;
  final DispatchStore dispatches;
  final DueTasks due;
  final WorkerStore workers;
  final ResultWriter results;
  final ReapReads reapReads;
  final ReapWriter reaps;
  final Observed observed;
  final Runs runs;
  final Backfills backfills;
  final Schedules schedules;
  final DeadLetters deadLetters;
  Epoch epoch = new Epoch(0);

  private final Ground.Racing racing;
  private final Random random = new Random(1);
  private final AtomicLong millis = new AtomicLong(1_790_000_000_000L);
  private final List<Election> elections = new ArrayList<>();

  Stage(Store store, SteppedClock clock, Ground.Racing racing) {
    var retries =
        new RetryDecision(
            new Random(1),
            new RetryDecision.Waits(
                RetryDecision.Waits.DEFAULT.crash(),
                RetryDecision.Waits.DEFAULT.unavailable(),
                RetryDecision.Waits.DEFAULT.refused(),
                new StartBackoff(BACKOFF, BACKOFF, Duration.ZERO, 2)),
            RetryCondition.NONE);
    this.deadLetters = new DeadLetters(ids(), false);
    this.store = store;
    this.clock = clock;
    this.racing = racing;
    this.intake = Api.of(store, ids(), Hints.NONE);
    this.dispatches = store.dispatches();
    this.due = new Promotion(store.transactions(), dispatches, Meters.NONE);
    this.workers = store.workers();
    this.results = new ResultWriter(store.transactions(), retries, Promises.DEFAULT, deadLetters);
    this.reapReads = store.reaps(ReapSettings.DEFAULT);
    this.reaps = reaps(ReapSettings.DEFAULT);
    this.observed = store.observed();
    this.runs = new Runs(this);
    this.backfills = new Backfills(this);
    this.schedules = new Schedules(this);
  }

  private static RunPolicy policy(WorkerLoss loss) {
    var backoff = new Backoff(BACKOFF, 2, Duration.ofMinutes(5), false);
    return new RunPolicy(new RetryPolicy(1, backoff, 1), RunPolicy.EXIT_CODES_DEFAULT, null, loss);
  }

  /** Ids that rise. */
  Ids ids() {
    return () -> {
      synchronized (random) {
        return Ids.v7(millis.getAndIncrement(), random.nextLong(), random.nextLong());
      }
    };
  }

  <A, B> Raced<A, B> race(Contended at, Supplier<A> first, Supplier<B> second) {
    return racing.race(at, first, second);
  }

  ReapWriter reaps(ReapSettings settings) {
    return new ReapWriter(
        store.transactions(),
        store.reaps(settings),
        results,
        settings,
        Promises.DEFAULT,
        Meters.NONE,
        reaped::addAll);
  }

  // Leaders.

  Election election(String replica) {
    var election = store.election(replica);
    elections.add(election);
    return election;
  }

  // Tasks that stand alone.

  TaskId submit(RunPolicy policy) {
    return submit(policy, POOL, 50, null);
  }

  TaskId submit(RunPolicy policy, String pool, int priority, @Nullable Duration deadline) {
    return intake
        .submit("key " + millis.get(), List.of(wanted(policy, pool, priority, deadline)))
        .getFirst();
  }

  static WantedTask wanted(
      RunPolicy policy, String pool, int priority, @Nullable Duration deadline) {
    var work = new Work(List.of("true"), null, Map.of(), policy);
    return new WantedTask("t", priority, pool, work, deadline);
  }

  TaskId submit(Keys keys) {
    var work = new Work(List.of("true"), null, Map.of(), RETRIES);
    var wanted = new WantedTask("t", 50, POOL, work, null, null, keys);
    return intake.submit("key " + millis.get(), List.of(wanted)).getFirst();
  }

  boolean cancel(TaskId task) {
    intake.cancelTask(task);
    return true;
  }

  // Workers.

  Peer newWorker() {
    var peer = new Peer(new WorkerId(ids().next()), new SessionId(ids().next()), 1);
    assertThat(register(peer, 1_000)).isEqualTo(new Registration.Accepted());
    return peer;
  }

  /** The next process of the same worker; it has not said hello yet. */
  Peer restarted(Peer peer) {
    return new Peer(peer.worker(), new SessionId(ids().next()), 1);
  }

  /** The next connection of the same process. */
  static Peer reconnected(Peer peer) {
    return new Peer(peer.worker(), peer.session(), peer.connection() + 1);
  }

  Registration register(Peer peer, long number) {
    return register(peer, number, KEY);
  }

  Registration register(Peer peer, long number, WorkerKey key) {
    var profile = new WorkerHello.Profile("w", new Offer(List.of(POOL), 4, Map.of()), "1", "linux");
    return workers.register(new WorkerHello(peer, key, number, 1_000, profile), REPLICA);
  }

  boolean touch(Peer peer, long number) {
    return workers.touch(peer, new Load(number, List.of(), 4, 0));
  }

  boolean touch(Peer peer, long number, String trouble) {
    return workers.touch(peer, new Load(number, List.of(), 0, 0, 0, null, trouble));
  }

  /** The workers that may get work. */
  List<Worker> takingWork() {
    return dispatches.readWorkers().workers().stream().filter(Worker::takesWork).toList();
  }

  // Attempts.

  /** Claims a task that can be claimed. */
  Dispatched claimed(Peer peer, TaskId task) {
    var claim = claimOf(task);
    assertThat(claim(peer, claim)).containsExactly(task);
    return new Dispatched(task, claim.dispatch(), peer);
  }

  /** A task that was just claimed. */
  Dispatched dispatched(RunPolicy policy) {
    return claimed(newWorker(), submit(policy));
  }

  /** One whose start was told. */
  Dispatched running(RunPolicy policy) {
    var running = dispatched(policy);
    assertThat(heartbeat(running.started())).containsExactly(Answer.APPLIED);
    return running;
  }

  Dispatched running(Keys keys) {
    var running = claimed(newWorker(), submit(keys));
    assertThat(heartbeat(running.started())).containsExactly(Answer.APPLIED);
    return running;
  }

  /** One that was lost, and whose task is SCHEDULED again. */
  Dispatched lostAndDue() {
    var lost = running(RETRIES);
    heartbeat(lost.lost());
    assertThat(promote()).isEqualTo(1);
    return lost;
  }

  /** Later than the end of any lease. */
  static final Instant FAR_AWAY = Instant.parse("2100-01-01T00:00:00Z");

  /** Replaces an earlier attempt, if there is one. */
  Claim claimOf(TaskId task) {
    return new Claim(task, new DispatchId(ids().next()), 0);
  }

  /** The same, if it waits in this task queue. */
  Claim claimOf(TaskId task, QueueId queue) {
    return new Claim(task, queue, new DispatchId(ids().next()), 0, true, null, null);
  }

  /** Replaces no attempt. */
  Claim firstClaimOf(TaskId task) {
    return new Claim(task, new DispatchId(ids().next()), 0, false);
  }

  /** The tasks that were claimed. */
  List<TaskId> claim(Peer peer, Claim... claims) {
    return claim(FAR_AWAY, peer, claims);
  }

  List<TaskId> claim(Instant sure, Peer peer, Claim... claims) {
    return claim(sure, peer, Arrays.asList(claims)).stream().map(MailboxEntry::task).toList();
  }

  List<MailboxEntry> claim(Instant sure, Peer peer, List<Claim> claims) {
    var to = new Target(peer.worker(), peer.session());
    return dispatches.claim(epoch, Map.of(to, claims), sure).getOrDefault(peer.worker(), List.of());
  }

  List<Candidate> candidates(Map<String, Integer> limitByPool, List<TaskId> except, Instant sure) {
    return Candidates.read(dispatches, store.queues(), limitByPool, except, sure);
  }

  List<Answer> heartbeat(WorkerEvent... events) {
    return results.write(Arrays.asList(events)).settlements().stream()
        .map(Settlement::answer)
        .toList();
  }

  int promote() {
    return due.promote(epoch, 10).count();
  }

  // What is so.

  TaskState state(TaskId task) {
    return observed.tasks(List.of(task)).getFirst().state();
  }

  /** The states that the task went through, with the reasons. */
  List<String> path(TaskId task) {
    return observed.taskChangesAfter(0).stream()
        .filter(change -> change.task().equals(task))
        .map(change -> change.to() + " " + change.reason())
        .toList();
  }

  /** When it went through them. */
  List<Instant> times(TaskId task) {
    return observed.taskChangesAfter(0).stream()
        .filter(change -> change.task().equals(task))
        .map(Observed.TaskChange::at)
        .toList();
  }

  /** The states that the run went through. */
  List<String> path(RunId run) {
    return observed.runChangesAfter(0).stream()
        .filter(change -> change.run().equals(run))
        .map(change -> change.to().name())
        .toList();
  }

  Observed.Attempt attempt(Dispatched dispatched) {
    return observed.attempts(List.of(dispatched.id())).getFirst();
  }

  /** The abort reason that its worker is told. */
  @Nullable String abortReason(Dispatched dispatched) {
    return workers.readMailbox(dispatched.to(), List.of()).orElseThrow().stream()
        .filter(entry -> entry.id().equals(dispatched.id()))
        .map(MailboxEntry::abortReason)
        .toList()
        .getFirst();
  }

  /** Each history goes on where it was. */
  private void historiesFit() {
    @Nullable TaskChange before = null;
    for (TaskChange change : observed.taskChangesAfter(0)) {
      boolean first = before == null || !before.task().equals(change.task());
      assertThat(change.from()).isEqualTo(first || before == null ? null : before.to());
      before = change;
    }
    @Nullable RunChange earlier = null;
    for (RunChange change : observed.runChangesAfter(0)) {
      boolean first = earlier == null || !earlier.run().equals(change.run());
      assertThat(change.from()).isEqualTo(first || earlier == null ? null : earlier.to());
      earlier = change;
    }
  }

  /** Whatever happened, the rows agree with each other. */
  @Override
  public void close() {
    try {
      historiesFit();
      assertThat(observed.oddAttempts()).isEmpty();
      assertThat(observed.oddHistories()).isEmpty();
      assertThat(observed.forgottenByCancel()).isEmpty();
      assertThat(observed.overLimit()).isEmpty();
      assertThat(observed.writesOfDeposed()).isEmpty();
    } finally {
      leave();
    }
  }

  /** However the rows are. */
  void leave() {
    elections.forEach(Election::resign);
    store.close();
  }
}
