package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.REPLICA;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.STRICT;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.engine.port.ReapReads.Orphan;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.Intake.WantedTask;
import dev.belay.simulation.contract.Lockstep.Both;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Asks for anything at any time, by seed: also what nobody would ask, late and twice. The breadth
 * says how many tasks it talks of at once.
 */
final class Chatter {

  private static final int MAX = 1_000;
  private static final ReapSettings REAP =
      ReapSettings.DEFAULT.withWaits(
          new ReapSettings.Waits(
              Duration.ofSeconds(40),
              Duration.ofSeconds(20),
              Duration.ofDays(7),
              Duration.ofDays(7),
              Duration.ofSeconds(60),
              Duration.ofSeconds(20)));
  private static final Set<RunState> RETRIED = EnumSet.of(RunState.FAILED, RunState.CANCELLED);
  private static final List<String> WORKFLOWS =
      List.of(
          "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x], depends_on: [a]}]",
          "name: w\nrun: {max_active: 1}\ntasks: [{name: a, command: [x], deadline: 30s},"
              + " {name: b, command: [x], depends_on: [a], trigger_rule: all_done}]",
          "name: w\nrun: {max_active: 3}\ntasks: [{name: a, command: [x]}, {name: b, command: [y]},"
              + " {name: c, command: [x], depends_on: [a, b], on_worker_lost: fail}]");

  private final Lockstep stores;
  private final Random random;
  private final int breadth;
  private final List<Peer> peers = new ArrayList<>();
  private final List<TaskId> tasks = new ArrayList<>();
  private final List<Dispatched> attempts = new ArrayList<>();
  private final List<RunId> runs = new ArrayList<>();
  private final List<Both<Runs.Intent>> intents = new ArrayList<>();
  private final List<Both<Reaping>> reapings = new ArrayList<>();
  private long millis = 1_780_000_000_000L;
  private int epoch;

  Chatter(Lockstep stores, long seed) {
    this(stores, seed, 1);
  }

  Chatter(Lockstep stores, long seed, int breadth) {
    this.stores = stores;
    this.random = new Random(seed);
    this.breadth = breadth;
  }

  /** The dispatches of all attempts. */
  List<DispatchId> dispatches() {
    return attempts.stream().map(Dispatched::id).distinct().toList();
  }

  void talk(int calls) {
    stores.tell("register", stage -> stage.runs.register(WORKFLOWS.getFirst()));
    newWorker();
    submit();
    trigger();
    for (int i = 0; i < calls; i++) {
      say();
    }
    lead();
  }

  private void say() {
    switch (random.nextInt(34)) {
      case 0, 1 -> submit();
      case 2 -> newWorker();
      case 3 -> hello();
      case 4 -> sign();
      case 5 -> leave();
      case 6, 7, 8, 9 -> claim();
      case 10, 11, 12, 13, 14 -> result();
      case 15 -> stores.ask("promote", stage -> stage.due.promote(stage.epoch, MAX));
      case 16 -> cancel();
      case 17 -> steer();
      case 18, 19 -> trigger();
      case 20 -> intend();
      case 21 -> goOnWithPlan();
      case 22, 23 -> plan();
      case 24 -> postpone();
      case 25 -> reap();
      case 26 -> expire();
      case 27 -> orphans();
      case 28 -> look();
      case 29 -> rebind();
      case 30 -> remove();
      case 31 -> lead();
      default -> step();
    }
  }

  private <T> T one(List<T> of) {
    // The younger ones are more interesting.
    int back = (int) (of.size() * Math.pow(random.nextDouble(), 2));
    return of.get(of.size() - 1 - Math.min(back, of.size() - 1));
  }

  private <T> List<T> some(int max, IntFunction<T> each) {
    return IntStream.rangeClosed(0, random.nextInt(max)).mapToObj(each).toList();
  }

  private UUID id() {
    return Ids.v7(millis++, random.nextLong(), random.nextLong());
  }

  private void submit() {
    var wanted =
        some(
            3 * breadth,
            i ->
                Stage.wanted(
                    random.nextInt(4) == 0 ? STRICT : RETRIES,
                    POOL,
                    1 + random.nextInt(100),
                    random.nextInt(4) == 0 ? Duration.ofSeconds(5 + random.nextInt(40)) : null));
    submit("key " + random.nextInt(60), wanted);
  }

  private void submit(String key, List<WantedTask> wanted) {
    stores
        .ask("submit " + key, stage -> stage.intake.submit(key, wanted))
        .ifPresent(ids -> ids.stream().filter(id -> !tasks.contains(id)).forEach(tasks::add));
  }

  private void newWorker() {
    var peer = new Peer(new WorkerId(id()), new SessionId(id()), 1);
    peers.add(peer);
    stores.ask("hello", stage -> stage.register(peer, 1_000));
  }

  private void hello() {
    var like = one(peers);
    var session = random.nextBoolean() ? like.session() : new SessionId(id());
    var peer = new Peer(like.worker(), session, 1 + random.nextInt(4));
    peers.add(peer);
    long started = random.nextLong(1_000, 1_003);
    stores.ask("hello again " + peer, stage -> stage.register(peer, started));
  }

  private void sign() {
    var peer = one(peers);
    var preparing = attempts.isEmpty() ? List.<DispatchId>of() : some(2, i -> one(attempts).id());
    var load =
        new Load(
            1 + random.nextInt(12),
            preparing,
            1,
            2,
            0.5,
            random.nextInt(3) == 0 ? 12.5 : null,
            random.nextInt(4) == 0 ? "disk full" : "");
    stores.ask("touch " + peer, stage -> stage.workers.touch(peer, load));
    var settings = REAP;
    stores.ask("beat", stage -> stage.store.heartbeat(REPLICA, settings, () -> 0).get());
  }

  private void leave() {
    var peer = one(peers);
    boolean closedByPeer = random.nextBoolean();
    if (random.nextInt(3) == 0) {
      stores.tell("drain", stage -> stage.workers.drain(peer));
    } else {
      stores.tell("left " + peer, stage -> stage.workers.markDisconnected(peer, closedByPeer));
    }
  }

  private record Seen(TaskId task, int priority, boolean again) {}

  private void claim() {
    var candidates =
        stores
            .ask(
                "candidates",
                stage ->
                    stage.candidates(Map.of(POOL, 5 * breadth), List.of(), Stage.FAR_AWAY).stream()
                        // The stores number their task queues differently.
                        .map(each -> new Seen(each.task(), each.priority(), each.again()))
                        .toList())
            .orElseThrow();
    var peer = one(peers);
    var claims = new ArrayList<Claim>();
    var distinct = new TreeSet<TaskId>((a, b) -> a.value().compareTo(b.value()));
    candidates.forEach(candidate -> distinct.add(candidate.task()));
    distinct.add(one(tasks));
    boolean again = random.nextInt(4) > 0;
    distinct.forEach(task -> claims.add(new Claim(task, new DispatchId(id()), 0, again)));
    stores
        .ask("claim", stage -> stage.claim(Stage.FAR_AWAY, peer, claims))
        .ifPresent(entries -> entries.forEach(entry -> claimed(entry, peer)));
  }

  private void claimed(MailboxEntry entry, Peer peer) {
    attempts.add(new Dispatched(entry.task(), entry.id(), peer));
    if (!tasks.contains(entry.task())) {
      tasks.add(entry.task());
    }
  }

  private void result() {
    if (attempts.isEmpty()) {
      return;
    }
    var events = some(4 * breadth, i -> event(one(attempts)));
    stores.ask("result " + events, stage -> stage.results.write(events));
  }

  private WorkerEvent event(Dispatched attempt) {
    var speaker = random.nextInt(8) == 0 ? attempt.by(one(peers)) : attempt;
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> speaker.started();
      case 3, 4 -> speaker.exited(0);
      case 5 -> speaker.exitedAtOnce(0);
      case 6 -> speaker.exited(1 + random.nextInt(2) * 98);
      case 7 -> speaker.lost(Duration.ofSeconds(random.nextInt(30)));
      case 8 -> speaker.refused();
      default -> speaker.killed(9);
    };
  }

  private void cancel() {
    if (random.nextBoolean()) {
      var task = one(tasks);
      stores.ask("cancel " + task, stage -> stage.cancel(task));
    } else {
      var run = one(runs);
      stores.ask("cancel " + run, stage -> stage.runs.cancel(run));
    }
  }

  /** Anything that a person may ask about a task, whatever its state. */
  private void steerTask() {
    var task = one(tasks);
    switch (random.nextInt(8)) {
      case 0, 1 -> stores.ask("clear " + task, stage -> stage.intake.clear(task));
      case 2 -> stores.ask("retry " + task, stage -> stage.intake.retryTask(task));
      case 3 -> stores.ask("mark " + task, stage -> stage.intake.mark(task, TaskState.SUCCEEDED));
      case 4 -> stores.ask("mark " + task, stage -> stage.intake.mark(task, TaskState.FAILED));
      case 5 -> stores.ask("skip " + task, stage -> stage.intake.skip(task));
      case 6 -> stores.ask("block " + task, stage -> stage.intake.block(task));
      default -> {
        int priority = 1 + random.nextInt(100);
        stores.ask("prioritize " + task, stage -> stage.intake.prioritize(task, priority));
      }
    }
  }

  private void steer() {
    if (!tasks.isEmpty() && random.nextInt(3) > 0) {
      steerTask();
      return;
    }
    switch (random.nextInt(5)) {
      case 0 -> stores.ask("pause", stage -> stage.runs.pause());
      case 1, 2 -> stores.ask("resume", stage -> stage.runs.resume());
      case 3 -> {
        var file = one(WORKFLOWS);
        stores.tell("register", stage -> stage.runs.register(file));
      }
      default -> retry();
    }
  }

  /** Any run, and with many also all those that can be retried. */
  private void retry() {
    var wanted = new TreeSet<RunId>();
    wanted.add(one(runs));
    if (breadth > 1) {
      stores
          .ask("read runs", stage -> stage.runs.plans.readRuns(runs))
          .orElseThrow()
          .forEach(
              run -> {
                if (RETRIED.contains(run.view().state())) {
                  wanted.add(run.id());
                }
              });
    }
    wanted.forEach(run -> stores.ask("retry " + run, stage -> stage.intake.retryRun(run)));
  }

  private void trigger() {
    for (var key : some(breadth, i -> "run " + random.nextInt(60 * breadth))) {
      stores
          .ask("trigger", stage -> stage.intake.trigger(key, "w"))
          .filter(run -> !runs.contains(run))
          .ifPresent(runs::add);
    }
  }

  private void intend() {
    var wanted = some(3, i -> one(runs)).stream().distinct().toArray(RunId[]::new);
    stores.hold("intend", stage -> stage.runs.intend(wanted)).ifPresent(intents::add);
  }

  /** Perhaps long after it was read. */
  private void goOnWithPlan() {
    if (!intents.isEmpty()) {
      stores.goOn("apply", one(intents), Runs.Intent::apply);
    }
  }

  private void plan() {
    if (breadth == 1) {
      stores.tell("plan", stage -> stage.runs.plan());
    } else {
      stores.tell("plan", stage -> stage.runs.planInOrder());
    }
    if (!runs.isEmpty()) {
      stores
          .ask("read runs", stage -> stage.runs.plans.readRuns(runs))
          .orElseThrow()
          .forEach(
              run ->
                  run.view()
                      .tasks()
                      .values()
                      .forEach(
                          task -> {
                            if (!tasks.contains(task.id())) {
                              tasks.add(task.id());
                            }
                          }));
    }
  }

  private void postpone() {
    stores.tell(
        "postpone",
        stage -> {
          var marks = stage.runs.plans.readMarks(MAX).stream().map(Mark::id).toList();
          if (!marks.isEmpty()) {
            stage.runs.writer.postpone(stage.epoch, marks);
          }
        });
  }

  private void reap() {
    stores.ask("survey", stage -> stage.store.reaps(REAP).survey());
    if (!attempts.isEmpty()) {
      var attempt = one(attempts);
      var mayRunOn = Duration.ofSeconds(random.nextInt(20));
      stores
          .hold("judge", stage -> new Reaping(stage, attempt).mayRunOn(mayRunOn))
          .ifPresent(reapings::add);
    }
    if (!reapings.isEmpty() && random.nextBoolean()) {
      stores.goOn("reap", one(reapings), Reaping::end);
    }
  }

  private void remove() {
    var worker = one(peers).worker();
    stores.ask("remove " + worker, stage -> stage.intake.removeWorker(worker));
  }

  private void expire() {
    int rule = random.nextInt(4);
    stores.<Object>ask(
        "expire " + rule,
        stage -> {
          var reaps = stage.reaps(REAP);
          return switch (rule) {
            case 0 -> reaps.expireDeadlines(stage.epoch, MAX);
            case 1 -> reaps.endLongRunning(stage.epoch, MAX);
            case 2 -> reaps.replayPending(stage.epoch, MAX);
            default -> reaps.expireWaits(stage.epoch, MAX);
          };
        });
  }

  private void orphans() {
    stores.ask("orphans", stage -> stage.store.reaps(REAP).readOrphans(null, MAX));
    var orphan = new Orphan(one(runs), random.nextBoolean());
    stores.ask("treat " + orphan, stage -> stage.reaps(REAP).treatOrphan(stage.epoch, orphan));
  }

  private void look() {
    var peer = one(peers);
    stores.ask(
        "workers",
        stage -> {
          var read = stage.dispatches.readWorkers();
          var held = new HashSet<DispatchId>();
          read.held().forEach(each -> held.add(each.dispatch()));
          return Map.entry(read.workers(), held);
        });
    stores.ask("mailbox", stage -> stage.workers.readMailbox(peer, List.of()));
    stores.ask(
        "attempts",
        stage -> stage.observed.attempts(attempts.stream().map(Dispatched::id).toList()));
    stores.ask("tasks", stage -> stage.observed.tasks(tasks));
    stores.ask(
        "marked", stage -> new TreeSet<>(stage.runs.marked().stream().map(RunId::value).toList()));
    stores.ask(
        "active",
        stage -> {
          var reaps = stage.store.reaps(REAP);
          var workers = peers.stream().map(Peer::worker).distinct().toList();
          return reaps.readActive(workers, null, MAX, reaps.survey());
        });
  }

  private void rebind() {
    if (attempts.isEmpty()) {
      return;
    }
    var bindings =
        some(3 * breadth, i -> one(attempts)).stream()
            .distinct()
            .map(attempt -> attempt.binding(random.nextBoolean()))
            .toList();
    var peer = one(peers);
    stores
        .ask("rebind " + peer, stage -> Set.copyOf(stage.workers.rebind(peer, bindings)))
        .ifPresent(
            bound ->
                attempts.replaceAll(
                    attempt -> bound.contains(attempt.id()) ? attempt.by(peer) : attempt));
  }

  /** A new leader; or one of before, for a while. */
  private void lead() {
    if (epoch > 0 && random.nextInt(3) == 0) {
      var old = new Epoch(epoch - 1);
      stores.tell("depose", stage -> stage.epoch = old);
      return;
    }
    epoch++;
    stores.ask(
        "lead",
        stage -> {
          var election = stage.election("r" + epoch);
          var won = election.campaign();
          won.ifPresent(now -> stage.epoch = now);
          election.resign();
          return won;
        });
  }

  private void step() {
    stores.step(
        switch (random.nextInt(6)) {
          case 0 -> Duration.ofSeconds(20 + random.nextInt(60));
          case 1, 2 -> Duration.ofSeconds(1 + random.nextInt(12));
          default -> Duration.ofMillis(1 + random.nextInt(900));
        });
  }
}
