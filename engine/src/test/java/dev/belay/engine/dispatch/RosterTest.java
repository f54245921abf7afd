package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The dispatcher's estimate of its workers between two reads. */
class RosterTest {

  private static final WorkerId WORKER = new WorkerId(new UUID(1, 1));
  private static final Epoch EPOCH = new Epoch(1);

  private final AtomicLong nanos = new AtomicLong();
  private final Workers store = new Workers();
  private final Roster roster = new Roster(store, Duration.ofSeconds(1), nanos::get);

  @Test
  void claims_since_the_read_and_those_under_way_take_slots() {
    store.active = 1;
    roster.read(EPOCH);
    roster.claimed(WORKER, 2);
    assertThat(roster.workers(Map.of(WORKER, 3)).getFirst().active()).isEqualTo(6);
  }

  @Test
  void claim_that_commits_while_the_workers_are_read_is_counted() {
    store.during = () -> roster.claimed(WORKER, 2);
    roster.read(EPOCH);
    assertThat(roster.workers(Map.of()).getFirst().active())
        .as("the read may be older than the claim")
        .isEqualTo(2);
  }

  @Test
  void read_sees_what_was_claimed_before_it() {
    roster.read(EPOCH);
    roster.claimed(WORKER, 2);
    store.active = 2;
    roster.read(EPOCH);
    assertThat(roster.workers(Map.of()).getFirst().active()).isEqualTo(2);
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

  private static final class Workers implements DispatchStore {
    int active;
    Runnable during = () -> {};

    @Override
    public List<Routing.Worker> readWorkers() {
      var seen =
          new Routing.Worker(WORKER, new SessionId(new UUID(2, 2)), Set.of("default"), 10, active);
      during.run();
      return List.of(seen);
    }

    @Override
    public List<Routing.Candidate> readCandidates(
        Map<String, Integer> limitByPool, Collection<TaskId> except, Instant sure) {
      return List.of();
    }

    @Override
    public List<MailboxEntry> claim(
        Epoch epoch, WorkerId worker, SessionId session, List<Claim> claims, Instant sure) {
      return List.of();
    }

    @Override
    public Optional<Duration> readNextDue() {
      return Optional.empty();
    }
  }
}
