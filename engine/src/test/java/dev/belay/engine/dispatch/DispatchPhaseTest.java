package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Claims between two reads of the workers. */
class DispatchPhaseTest {

  private static final Epoch EPOCH = new Epoch(1);
  private static final int SLOTS = 2;

  private final Database store = new Database();
  private final Roster roster = new Roster(store, EngineSettings.of(1, 9), () -> 0);
  private final DispatchPhase phase =
      new DispatchPhase(
          store,
          roster,
          new DispatchPool(Runnable::run, 1, 9, () -> {}),
          () -> new UUID(7, store.next++),
          (worker, claimed) -> true,
          Hints.NONE,
          EngineSettings.of(1, 9),
          () -> Instant.MAX,
          DispatchPhase.Drifts.NONE);

  @Test
  void pool_that_was_full_gets_work_as_soon_as_a_slot_is_free_though_another_pool_idles() {
    store.workers.add("a");
    store.workers.add("b");
    store.ready("a", 5);
    phase.runOnce(EPOCH);
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(SLOTS);
    roster.over(List.of(store.end("a")));
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(SLOTS);
    assertThat(store.reads).as("it counts what it hears").isEqualTo(1);
  }

  @Test
  void slot_that_another_replica_freed_is_found_at_its_hint() {
    store.workers.add("a");
    store.ready("a", 5);
    phase.runOnce(EPOCH);
    store.end("a");
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).as("nobody told").isEqualTo(SLOTS - 1);
    roster.doubt();
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(SLOTS);
  }

  @Test
  void nobody_gets_more_than_its_slots_however_often_it_looks() {
    store.workers.add("a");
    store.ready("a", 50);
    for (int i = 0; i < 5; i++) {
      phase.runOnce(EPOCH);
      assertThat(store.active("a")).isEqualTo(SLOTS);
    }
  }

  @Test
  void first_worker_to_come_gets_work_at_once() {
    store.ready("a", 1);
    phase.runOnce(EPOCH);
    store.workers.add("a");
    phase.runOnce(EPOCH);
    assertThat(store.active("a")).isEqualTo(1);
  }

  @Test
  void workers_with_room_are_not_read_again() {
    store.workers.add("a");
    store.ready("a", 1);
    phase.runOnce(EPOCH);
    phase.runOnce(EPOCH);
    assertThat(store.reads).isEqualTo(1);
  }

  /** One worker for each pool, with the pool's name. */
  private static final class Database implements DispatchStore {
    final List<String> workers = new ArrayList<>();
    final List<Routing.Candidate> scheduled = new ArrayList<>();
    final Map<DispatchId, String> running = new LinkedHashMap<>();
    int reads;
    long next;

    void ready(String pool, int tasks) {
      for (int i = 0; i < tasks; i++) {
        scheduled.add(new Routing.Candidate(new TaskId(new UUID(3, next++)), pool, 0));
      }
    }

    DispatchId end(String pool) {
      DispatchId ended = held(pool).getFirst();
      running.remove(ended);
      return ended;
    }

    int active(String pool) {
      return held(pool).size();
    }

    private List<DispatchId> held(String pool) {
      return running.keySet().stream().filter(each -> pool.equals(running.get(each))).toList();
    }

    private static WorkerId id(String pool) {
      return new WorkerId(
          UUID.nameUUIDFromBytes(pool.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Override
    public List<HeldSlots> readWorkers() {
      reads++;
      return workers.stream()
          .map(
              pool ->
                  new HeldSlots(
                      new Routing.Worker(
                          id(pool),
                          new SessionId(new UUID(2, 2)),
                          Set.of(pool),
                          SLOTS,
                          active(pool)),
                      held(pool)))
          .toList();
    }

    @Override
    public List<Routing.Candidate> readCandidates(
        Map<String, Integer> limitByPool, Collection<TaskId> except, Instant sure) {
      List<Routing.Candidate> found = new ArrayList<>();
      limitByPool.forEach(
          (pool, limit) ->
              scheduled.stream()
                  .filter(candidate -> candidate.pool().equals(pool))
                  .limit(limit)
                  .forEach(found::add));
      return found;
    }

    @Override
    public List<MailboxEntry> claim(
        Epoch epoch, WorkerId worker, SessionId session, List<Claim> claims, Instant sure) {
      List<MailboxEntry> claimed = new ArrayList<>();
      for (Claim claim : claims) {
        String pool =
            workers.stream().filter(each -> id(each).equals(worker)).findFirst().orElseThrow();
        scheduled.removeIf(candidate -> candidate.task().equals(claim.task()));
        running.put(claim.dispatch(), pool);
        claimed.add(
            new MailboxEntry(
                claim.task(),
                claim.dispatch(),
                session,
                MailboxEntry.State.DISPATCHED,
                null,
                Optional.empty()));
      }
      return claimed;
    }

    @Override
    public Optional<Duration> readNextDue() {
      return Optional.empty();
    }
  }
}
