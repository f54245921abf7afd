package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.QueueStore;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.RoutingReads.Declared;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One worker for each pool, with the pool's name, and task queues named by a letter. */
final class DispatchDatabase implements DispatchStore, QueueStore, RoutingReads {
  final List<String> workers = new ArrayList<>();
  final Map<QueueId, List<Candidate>> scheduled = new TreeMap<>();
  private final Map<TaskId, QueueId> queueOf = new HashMap<>();
  final Map<DispatchId, Held> running = new LinkedHashMap<>();
  final Map<QueueId, TaskQueue> specs = new LinkedHashMap<>();
  Declared declared = new Declared(1, List.of(), List.of(), Limits.NONE, Map.of());
  final List<QueueId> claimed = new ArrayList<>();
  final List<List<WorkerId>> workersOfClaims = new ArrayList<>();
  Runnable duringRead = () -> {};

  /** The next claim gets an error, and commits when the store settles. */
  boolean losesClaim;

  private Runnable late = () -> {};

  /** More workers, each with its pool. */
  final Map<String, String> more = new LinkedHashMap<>();

  int slots = 2;
  int wanted;
  int reads;
  int polls;
  long next;
  long nanos;

  void ready(String pool, int tasks) {
    ready(pool, tasks, 50, pool.charAt(0));
  }

  void ready(String pool, int tasks, int priority, char name) {
    var queue = new QueueId(name);
    specs.putIfAbsent(queue, QueueOf.alone("default", pool, RunPolicy.DEFAULT));
    ready(queue, tasks, priority);
  }

  void ready(QueueId queue, int tasks, int priority) {
    for (int i = 0; i < tasks; i++) {
      ready(queue, priority, null);
    }
  }

  void ready(String pool, int priority, LastAttempt last) {
    var queue = new QueueId(pool.charAt(0));
    specs.putIfAbsent(queue, QueueOf.alone("default", pool, RunPolicy.DEFAULT));
    ready(queue, priority, last);
  }

  private void ready(QueueId queue, int priority, @Nullable LastAttempt last) {
    var task = new Candidate(new TaskId(new UUID(3, next++)), queue, null, priority, 0, true, last);
    scheduled.computeIfAbsent(queue, any -> new ArrayList<>()).add(task);
    queueOf.put(task.task(), queue);
  }

  /** The first task of one task queue waits in another one. */
  void move(QueueId from, QueueId to) {
    TaskId task = scheduled.getOrDefault(from, List.of()).removeFirst().task();
    scheduled
        .computeIfAbsent(to, any -> new ArrayList<>())
        .add(new Candidate(task, to, null, 50, 0, true, null));
    queueOf.put(task, to);
  }

  DispatchId of(QueueId queue) {
    return running.values().stream()
        .filter(each -> queue.equals(each.queue()))
        .findFirst()
        .orElseThrow()
        .dispatch();
  }

  DispatchId end(String pool) {
    DispatchId ended = held(pool).getFirst().dispatch();
    running.remove(ended);
    return ended;
  }

  int active(String pool) {
    return held(pool).size();
  }

  List<Held> held(String pool) {
    return running.values().stream().filter(each -> each.worker().equals(id(pool))).toList();
  }

  static WorkerId id(String pool) {
    return new WorkerId(
        UUID.nameUUIDFromBytes(pool.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  @Override
  public Holdings readWorkers() {
    reads++;
    return new Holdings(
        Stream.concat(
                workers.stream().map(pool -> worker(pool, pool)),
                more.entrySet().stream().map(each -> worker(each.getKey(), each.getValue())))
            .toList(),
        List.copyOf(running.values()),
        Instant.EPOCH.plusNanos(nanos));
  }

  private Worker worker(String name, String pool) {
    return new Worker(
        id(name),
        new SessionId(new UUID(2, 2)),
        name,
        Worker.Traits.ofPools(pool),
        Load.slots(slots),
        Load.NONE,
        Worker.Condition.IDLE);
  }

  @Override
  public List<Head> readWaiting(@Nullable QueueId after, int max) {
    polls++;
    List<Head> heads = new ArrayList<>();
    scheduled.forEach(
        (queue, tasks) -> {
          if (!tasks.isEmpty() && (after == null || queue.compareTo(after) > 0)) {
            int best = tasks.stream().mapToInt(Candidate::priority).max().orElseThrow();
            heads.add(new Head(queue, best));
          }
        });
    return heads.subList(0, Math.min(max, heads.size()));
  }

  @Override
  public List<Candidate> readCandidates(
      List<Wanted> wanted, Collection<TaskId> except, Instant sure) {
    List<Candidate> found = new ArrayList<>();
    this.wanted += wanted.size();
    for (Wanted each : wanted) {
      scheduled.getOrDefault(each.queue(), List.of()).stream()
          .filter(task -> !except.contains(task.task()))
          .limit(each.take())
          .forEach(found::add);
    }
    found.sort(Comparator.comparingInt(each -> -each.priority()));
    duringRead.run();
    return found;
  }

  @Override
  public Map<WorkerId, List<MailboxEntry>> claim(
      Epoch epoch, Map<Target, List<Claim>> claims, Instant sure) {
    if (losesClaim) {
      losesClaim = false;
      late = () -> claim(epoch, claims, sure);
      throw new IllegalStateException("lost the connection");
    }
    workersOfClaims.add(claims.keySet().stream().map(Target::worker).toList());
    Map<WorkerId, List<MailboxEntry>> entries = new LinkedHashMap<>();
    claims.forEach(
        (to, own) -> {
          for (Claim claim : own) {
            if (!Objects.equals(queueOf.get(claim.task()), claim.queue())) {
              continue;
            }
            Candidate task = take(claim.task());
            claimed.add(task.queue());
            running.put(
                claim.dispatch(),
                new Held(claim.dispatch(), to.worker(), task.queue(), claim.pool(), Instant.EPOCH));
            entries
                .computeIfAbsent(to.worker(), any -> new ArrayList<>())
                .add(
                    new MailboxEntry(
                        claim.task(),
                        claim.dispatch(),
                        to.session(),
                        MailboxEntry.State.DISPATCHED,
                        null,
                        Optional.empty()));
          }
        });
    return entries;
  }

  @Override
  public void settle() {
    Runnable lost = late;
    late = () -> {};
    lost.run();
  }

  @Override
  public Optional<Duration> readNextDue() {
    return Optional.empty();
  }

  @Override
  public Map<TaskQueue, QueueId> intern(Collection<TaskQueue> queues) {
    return Map.of();
  }

  @Override
  public Map<QueueId, TaskQueue> readQueues(Collection<QueueId> ids) {
    Map<QueueId, TaskQueue> found = new LinkedHashMap<>();
    for (QueueId id : ids) {
      found.put(
          id,
          specs.getOrDefault(
              id, QueueOf.alone("default", String.valueOf((char) id.value()), RunPolicy.DEFAULT)));
    }
    return found;
  }

  @Override
  public long version() {
    return declared.version();
  }

  @Override
  public Declared declared() {
    return declared;
  }

  private Candidate take(TaskId id) {
    List<Candidate> tasks = scheduled.getOrDefault(queueOf.get(id), List.of());
    for (Candidate task : List.copyOf(tasks)) {
      if (task.task().equals(id)) {
        tasks.remove(task);
        return task;
      }
    }
    throw new IllegalStateException("nobody has " + id);
  }

  static Held holds(DispatchId dispatch, WorkerId worker, QueueId queue) {
    return new Held(dispatch, worker, queue, null, Instant.EPOCH);
  }
}
