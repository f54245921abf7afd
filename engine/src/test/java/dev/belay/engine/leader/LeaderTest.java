package dev.belay.engine.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.admit.DueTasks;
import dev.belay.engine.dispatch.Conflicts;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.LimitsOnly;
import dev.belay.engine.dispatch.RateTokens;
import dev.belay.engine.dispatch.Roster;
import dev.belay.engine.dispatch.Rules;
import dev.belay.engine.dispatch.Undeclared;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.Plans;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.QueueStore;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeaderTest {

  private static final LeaderSettings SETTINGS = LeaderSettings.DEFAULT;

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> said = new ArrayList<>();
  private final ScriptedElection election = new ScriptedElection();
  private final ScriptedStore store = new ScriptedStore();
  private final Signal wakeTick = new Signal();
  private final Signal wakeElection = new Signal();
  private final Leader leader =
      new Leader(
          election,
          tick(),
          SETTINGS,
          new Leader.Signals(wakeTick, wakeElection, new SpokenHints()),
          nanos::get);

  @Test
  void follower_campaigns_and_ticks_at_once_when_it_wins() {
    election.free = false;
    assertThat(leader.elect()).isEqualTo(SETTINGS.campaign());
    leader.tick();
    assertThat(store.ticks).isZero();
    election.free = true;
    assertThat(leader.elect()).isEqualTo(SETTINGS.renew());
    assertThat(wakeTick.take()).isTrue();
    leader.tick();
    assertThat(store.ticks).isEqualTo(1);
    assertThat(leader.epoch()).contains(new Epoch(1));
    assertThat(leader.changes()).isEqualTo(1);
  }

  @Test
  void leader_that_cannot_prove_itself_stops_ticking_before_anybody_tells_it() {
    leader.elect();
    pass(SETTINGS.trust().minusNanos(1));
    leader.tick();
    assertThat(store.ticks).isEqualTo(1);
    pass(Duration.ofNanos(1));
    leader.tick();
    assertThat(store.ticks).as("the renewal hangs, the trust is over").isEqualTo(1);
    leader.elect();
    leader.planSoon();
    leader.tick();
    assertThat(store.ticks).as("proven again").isEqualTo(2);
  }

  @Test
  void trust_counts_from_when_the_proof_was_asked_for() {
    leader.elect();
    election.renewTakes = Duration.ofSeconds(5);
    leader.elect();
    pass(SETTINGS.trust().minus(election.renewTakes));
    leader.tick();
    assertThat(store.ticks).isZero();
  }

  @Test
  void lost_lock_is_let_go_before_the_next_campaign() {
    leader.elect();
    election.renews = false;
    leader.elect();
    assertThat(leader.epoch()).isEmpty();
    assertThat(election.calls).containsExactly("campaign", "renew", "resign");
    leader.elect();
    assertThat(leader.epoch()).contains(new Epoch(2));
  }

  @Test
  void renewal_that_throws_ends_the_leadership_too() {
    leader.elect();
    election.renewFails = true;
    assertThatThrownBy(leader::elect).isInstanceOf(IllegalStateException.class);
    assertThat(leader.epoch()).isEmpty();
    assertThat(election.calls).endsWith("resign");
  }

  @Test
  void deposed_leader_stops_and_its_election_lets_the_session_go() {
    leader.elect();
    store.deposed = true;
    leader.tick();
    assertThat(leader.epoch()).isEmpty();
    assertThat(wakeElection.take()).as("at once, not with the next renewal").isTrue();
    assertThat(election.calls)
        .as("the tick's thread does not touch it")
        .containsExactly("campaign");
    election.free = false;
    leader.elect();
    assertThat(election.calls).containsExactly("campaign", "resign", "campaign");
  }

  @Test
  void resigning_lets_the_lock_go_and_then_tells_the_others() {
    leader.elect();
    leader.stop();
    leader.tick();
    assertThat(store.ticks).isZero();
    assertThat(leader.epoch()).as("kept until the tick and the claims are over").isPresent();
    leader.resign();
    assertThat(said).containsExactly("resign", "leaderLeft", "resign");
    assertThat(leader.epoch()).isEmpty();
    leader.elect();
    assertThat(leader.epoch()).as("who stops does not campaign").isEmpty();
  }

  @Test
  void follower_that_stops_tells_nobody() {
    election.free = false;
    leader.elect();
    leader.resign();
    assertThat(said).doesNotContain("leaderLeft");
  }

  @Test
  void tick_whose_phase_failed_does_not_count_as_one_for_health() {
    leader.elect();
    leader.tick();
    pass(Duration.ofSeconds(1));
    store.failing = true;
    leader.tick();
    assertThat(store.ticks).isEqualTo(2);
    assertThat(leader.sinceTick()).contains(Duration.ofSeconds(1));
    store.failing = false;
    leader.tick();
    assertThat(leader.sinceTick()).contains(Duration.ZERO);
  }

  @Test
  void out_of_memory_in_one_phase_does_not_skip_the_next() {
    leader.elect();
    store.poison = new OutOfMemoryError("poison");
    leader.tick();
    store.poison = new StackOverflowError("poison");
    leader.planSoon();
    leader.tick();
    assertThat(store.promotes).isEqualTo(2);
    assertThat(store.dispatches).isEqualTo(2);
  }

  @Test
  void turn_only_dispatches_unless_something_else_changed_or_a_whole_one_is_due() {
    leader.elect();
    leader.tick();
    assertThat(store.promotes).isEqualTo(1);
    pass(SETTINGS.tick().minusMillis(1));
    assertThat(leader.tick()).as("until the whole turn").isEqualTo(Duration.ofMillis(1));
    assertThat(store.promotes).isEqualTo(1);
    assertThat(store.dispatches).isEqualTo(2);
    leader.planSoon();
    leader.tick();
    assertThat(store.promotes).as("a run changed").isEqualTo(2);
    pass(SETTINGS.tick());
    leader.tick();
    assertThat(store.promotes).as("due").isEqualTo(3);
  }

  @Test
  void a_hint_of_a_sooner_timer_shortens_the_sleep_and_does_not_plan_before_its_time() {
    leader.elect();
    leader.tick();
    assertThat(wakeTick.take()).as("leads").isTrue();
    leader.dueIn(SETTINGS.tick());
    assertThat(wakeTick.take()).as("the usual turn reads it in time").isFalse();
    leader.dueIn(Duration.ofMillis(200));
    assertThat(wakeTick.take()).isTrue();
    leader.dueIn(Duration.ofMillis(300));
    assertThat(wakeTick.take()).as("a sooner one is known").isFalse();
    assertThat(leader.tick()).isEqualTo(Duration.ofMillis(200));
    assertThat(store.promotes).isEqualTo(1);
    pass(Duration.ofMillis(200));
    assertThat(leader.tick()).isEqualTo(SETTINGS.tick());
    assertThat(store.promotes).as("its time has come").isEqualTo(2);
  }

  @Test
  void a_hint_during_a_turn_counts_after_it() {
    leader.elect();
    store.duringPromote = () -> leader.dueIn(Duration.ofMillis(5));
    assertThat(leader.tick()).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void a_run_whose_wait_is_over_is_planned_in_the_same_turn() {
    leader.elect();
    store.marks = 1;
    leader.tick();
    assertThat(store.ticks).isEqualTo(2);
  }

  @Test
  void when_the_last_turn_found_nothing_one_look_tells_whether_this_one_would() {
    leader.elect();
    leader.tick();
    store.quiet = Optional.of(new DispatchStore.Quiet(Optional.of(Duration.ofMillis(7))));
    pass(SETTINGS.tick());
    assertThat(leader.tick()).as("until a task is due").isEqualTo(Duration.ofMillis(7));
    assertThat(store.promotes).isEqualTo(1);
    store.quiet = Optional.empty();
    pass(SETTINGS.tick());
    leader.tick();
    assertThat(store.promotes).isEqualTo(2);
  }

  @Test
  void tick_that_has_always_more_to_do_ends_by_its_budget() {
    leader.elect();
    store.endless = true;
    assertThat(leader.tick()).as("goes on at once").isEqualTo(Duration.ZERO);
    assertThat(Duration.ofNanos(nanos.get()))
        .isLessThan(SETTINGS.tickBudget().plus(SETTINGS.phaseBudget()));
    assertThat(store.promotes).as("no phase starves").isGreaterThan(1);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private Tick tick() {
    var hints = new SpokenHints();
    var workflows =
        new Workflows(
            store.plans,
            spec -> {
              throw new IllegalStateException(spec);
            },
            1);
    var plan =
        new PlanPhase(
            store.plans,
            store.plans,
            workflows,
            new Planner(scope -> template -> template.text()),
            () -> new UUID(9, 9),
            hints);
    var pool = new DispatchPool(Runnable::run, 1, 0, () -> {});
    var queues = new QueueCatalog(new NoQueues(), nanos::get);
    var waiting = new WaitingQueues(store, EngineSettings.of(1, 1), nanos::get);
    var none = new LimitsOnly(LimitsOnly.NONE);
    var roster = new Roster(store, queues, waiting, EngineSettings.of(1, 1), nanos::get);
    var dispatch =
        new DispatchPhase(
            new DispatchPhase.Parts(
                store,
                queues,
                waiting,
                roster,
                new Rules(new Undeclared(), EngineSettings.of(1, 1), nanos::get),
                new RateTokens(none, nanos::get),
                new Conflicts(
                    new Conflicts.Parts(none, waiting, roster, hints, Meters.NONE), nanos::get),
                () -> new UUID(9, 9),
                (worker, claimed) -> false,
                hints),
            DispatchPhase.Choosing.DEFAULT,
            pool,
            EngineSettings.of(1, 1),
            () -> Instant.MAX,
            DispatchPhase.Drifts.NONE);
    return new Tick(
        new Tick.Phases(plan, store, dispatch, store),
        EngineSettings.of(1, 1),
        SETTINGS,
        nanos::get,
        Meters.NONE);
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

  private final class ScriptedElection implements Election {
    final List<String> calls = new ArrayList<>();
    boolean free = true;
    boolean renews = true;
    boolean renewFails;
    Duration renewTakes = Duration.ZERO;
    long epoch;

    @Override
    public Optional<Epoch> campaign() {
      calls.add("campaign");
      return free ? Optional.of(new Epoch(++epoch)) : Optional.empty();
    }

    @Override
    public boolean renew() {
      calls.add("renew");
      pass(renewTakes);
      if (renewFails) {
        throw new IllegalStateException("poison");
      }
      return renews;
    }

    @Override
    public void resign() {
      calls.add("resign");
      said.add("resign");
    }
  }

  private final class SpokenHints implements Hints {
    @Override
    public void workReady() {}

    @Override
    public void runChanged() {}

    @Override
    public void mailbox(WorkerId worker) {}

    @Override
    public void leaderLeft() {
      said.add("leaderLeft");
    }
  }

  /** No task, no run; each phase follows the script. */
  private final class ScriptedStore implements DispatchStore, DueTasks {
    final NoRuns plans = new NoRuns();
    int ticks;
    int promotes;
    int dispatches;
    boolean deposed;
    boolean failing;
    boolean endless;
    int marks;
    Runnable duringPromote = () -> {};
    Optional<Quiet> quiet = Optional.empty();
    Error poison = new Error("none");

    @Override
    public Promoted promote(Epoch epoch, int max) {
      promotes++;
      if (deposed) {
        throw new Deposed(epoch);
      }
      if (failing) {
        throw new IllegalStateException("poison");
      }
      if (endless) {
        pass(Duration.ofMillis(150));
      }
      duringPromote.run();
      return new Promoted(endless ? max : 0, Optional.empty(), marks-- > 0, Set.of());
    }

    @Override
    public void settle() {}

    @Override
    public Optional<Duration> readNextDue() {
      return Optional.empty();
    }

    @Override
    public Optional<Quiet> lookQuiet() {
      return quiet;
    }

    @Override
    public Holdings readWorkers() {
      dispatches++;
      return new Holdings(List.of(), List.of(), Instant.EPOCH);
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

    private final class NoRuns implements PlanReads, Plans {
      @Override
      public List<Mark> readMarks(int max, Collection<RunId> except) {
        ticks++;
        if (poison instanceof VirtualMachineError thrown) {
          throw thrown;
        }
        return List.of();
      }

      @Override
      public List<StoredRun> readRuns(Collection<RunId> runs) {
        return List.of();
      }

      @Override
      public String readSpec(WorkflowId workflow) {
        return "";
      }

      @Override
      public Applied apply(Epoch epoch, List<PlannedRun> planned, Collection<Long> marks) {
        return new Applied(Effects.NONE, Set.of(), Map.of(), 0, 0, Set.of());
      }

      @Override
      public void postpone(Epoch epoch, Collection<Long> marks) {}

      @Override
      public boolean isRefused(RuntimeException failure) {
        return false;
      }
    }
  }
}
