package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Worker;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.QueueStore;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The leader's count of its workers' slots between two reads. */
class RosterTest {

  private static final WorkerId WORKER = new WorkerId(new UUID(1, 1));
  private static final Epoch EPOCH = new Epoch(1);
  private static final DispatchId A = new DispatchId(new UUID(5, 1));
  private static final DispatchId B = new DispatchId(new UUID(5, 2));
  private static final DispatchId C = new DispatchId(new UUID(5, 3));

  private static final QueueId QUEUE = new QueueId(1);

  private final AtomicLong nanos = new AtomicLong();
  private final Workers store = new Workers();
  private final WaitingQueues waiting =
      new WaitingQueues(store, EngineSettings.of(1, 1), nanos::get);
  private final Roster roster =
      new Roster(
          store,
          new QueueCatalog(new NoQueues(), nanos::get),
          waiting,
          EngineSettings.of(1, 1).withTick(Duration.ofSeconds(2)),
          nanos::get);

  @Test
  void claims_take_slots_and_ends_free_them_without_a_read() {
    store.held = List.of(A);
    roster.read(EPOCH);
    claiming(B, C);
    assertThat(active()).isEqualTo(3);
    roster.decided(List.of(B, C));
    roster.over(List.of(A, C));
    roster.over(List.of(A));
    assertThat(active()).as("one end that is heard twice frees one slot").isEqualTo(1);
  }

  @Test
  void claim_that_commits_while_the_workers_are_read_is_counted() {
    claiming(A);
    store.during =
        () -> {
          roster.decided(List.of(A));
          claiming(B);
        };
    roster.read(EPOCH);
    assertThat(active()).as("the read may be older than the claims").isEqualTo(2);
    store.during = () -> {};
    roster.read(EPOCH);
    assertThat(active()).as("nobody knows yet whether B is claimed").isEqualTo(1);
    roster.decided(List.of(B));
    roster.read(EPOCH);
    assertThat(active()).isZero();
  }

  @Test
  void claim_without_an_answer_keeps_its_slot_until_it_cannot_commit_any_more() {
    claiming(A, B);
    roster.unanswered(List.of(A, B));
    store.settling =
        () -> {
          throw new IllegalStateException("waited too long for the lock");
        };
    assertThatThrownBy(() -> roster.read(EPOCH)).hasMessageContaining("too long");
    assertThat(roster.isFresh(EPOCH)).isFalse();
    store.settling =
        () -> {
          store.held = List.of(A);
          store.settling = () -> fail("all of it is settled");
        };
    roster.read(EPOCH);
    assertThat(active()).as("A committed after its caller lost it").isEqualTo(1);
    roster.over(List.of(A));
    assertThat(active()).isZero();
    roster.read(EPOCH);
    assertThat(active()).isEqualTo(1);
  }

  @Test
  void end_that_is_heard_while_the_workers_are_read_frees_its_slot() {
    store.held = List.of(A, B);
    roster.read(EPOCH);
    store.during = () -> roster.over(List.of(A));
    assertThat(roster.read(EPOCH)).isEqualTo(Drift.NONE);
    assertThat(active()).isEqualTo(1);
  }

  @Test
  void read_tells_what_the_leader_did_not_hear_of() {
    store.held = List.of(A, B);
    assertThat(roster.read(EPOCH)).as("a new leader knows nothing").isEqualTo(Drift.NONE);
    store.held = List.of(B, C);
    assertThat(roster.read(EPOCH)).isEqualTo(new Drift(1, 1));
    assertThat(active()).isEqualTo(2);
  }

  @Test
  void is_not_fresh_when_old_distrusted_or_of_another_leadership() {
    assertThat(roster.isFresh(EPOCH)).isFalse();
    roster.read(EPOCH);
    assertThat(roster.isFresh(EPOCH)).isTrue();
    assertThat(roster.isFresh(new Epoch(2))).isFalse();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(roster.isFresh(EPOCH)).isFalse();
    roster.read(EPOCH);
    roster.distrust();
    assertThat(roster.isFresh(EPOCH)).isFalse();
  }

  @Test
  void what_is_over_may_wait_again_in_its_task_queue() {
    store.held = List.of(A, B);
    roster.read(EPOCH);
    assertThat(waiting.news().hinted()).isEmpty();
    roster.over(List.of(A));
    assertThat(waiting.news().hinted()).containsExactly(QUEUE);
    store.held = List.of();
    roster.read(EPOCH);
    assertThat(waiting.news().hinted()).as("a read found the end").containsExactly(QUEUE);
  }

  private void claiming(DispatchId... dispatches) {
    for (DispatchId dispatch : dispatches) {
      roster.claiming(new Roster.Taken(held(dispatch), null, "default"));
    }
  }

  private static final class NoQueues implements QueueStore {
    @Override
    public Map<TaskQueue, QueueId> intern(Collection<TaskQueue> queues) {
      return Map.of();
    }

    @Override
    public Map<QueueId, TaskQueue> readQueues(Collection<QueueId> ids) {
      return Map.of();
    }
  }

  private static Held held(DispatchId dispatch) {
    return new Held(dispatch, WORKER, QUEUE, null, Instant.EPOCH);
  }

  private int active() {
    return roster.routed().getFirst().held().slots();
  }

  private static final class Workers implements DispatchStore {
    List<DispatchId> held = List.of();
    Runnable during = () -> {};
    Runnable settling = () -> {};

    @Override
    public Holdings readWorkers() {
      var session = new SessionId(new UUID(2, 2));
      var seen =
          new Worker(
              WORKER,
              session,
              "w",
              Worker.Traits.ofPools("default"),
              Load.slots(10),
              Load.NONE,
              Worker.Condition.IDLE);
      var read =
          new Holdings(List.of(seen), held.stream().map(RosterTest::held).toList(), Instant.EPOCH);
      during.run();
      return read;
    }

    @Override
    public List<Head> readWaiting(@Nullable QueueId after, int max) {
      return List.of();
    }

    @Override
    public List<Candidate> readCandidates(
        List<Wanted> wanted, Collection<TaskId> except, Instant sure) {
      return List.of();
    }

    @Override
    public Map<WorkerId, List<MailboxEntry>> claim(
        Epoch epoch, Map<Target, List<Claim>> claims, Instant sure) {
      return Map.of();
    }

    @Override
    public void settle() {
      settling.run();
    }

    @Override
    public Optional<Duration> readNextDue() {
      return Optional.empty();
    }
  }
}
