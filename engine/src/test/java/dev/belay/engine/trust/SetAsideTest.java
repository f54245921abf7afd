package dev.belay.engine.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.trust.SetAside.Others;
import dev.belay.domain.trust.TrustSettings;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.TrustStore;
import dev.belay.engine.result.Results;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerEvent.Execution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Counts on a replica, and the leader's look at what it noted. */
class SetAsideTest {

  private static final TrustSettings SETTINGS =
      new TrustSettings(4, Duration.ofSeconds(5), Duration.ofMinutes(1));
  private static final WorkerId BAD = new WorkerId(new UUID(3, 1));
  private static final WorkerId GOOD = new WorkerId(new UUID(3, 2));
  private static final SessionId SESSION = new SessionId(new UUID(4, 1));
  private static final Outcome FAILED = new Outcome.Exited(1, 0);
  private static final Outcome FINE = new Outcome.Exited(0, 0);

  private long nanos;
  private int tasks;
  private final Notes notes = new Notes();
  private final List<String> order = new ArrayList<>();
  private final FailureCounts counts =
      new FailureCounts(
          SetAsideTest::written, notes, SETTINGS, () -> nanos, () -> order.add("distrust"));
  private final SuspectWatch watch = new SuspectWatch(notes, SETTINGS, () -> nanos);

  @Test
  void few_failures_are_written_nowhere_and_a_row_of_them_is_noted_before_anyone_hears() {
    counts.write(List.of(end(BAD, FAILED, 10)));
    assertThat(order).isEmpty();
    counts.write(List.of(end(BAD, FAILED, 10)));
    counts.write(List.of(end(BAD, FAILED, 10), end(BAD, FAILED, 10)));
    assertThat(order).containsExactly("note 2", "distrust", "note 4", "distrust");
  }

  @Test
  void success_ends_the_row() {
    counts.write(List.of(end(BAD, FAILED, 10), end(BAD, FAILED, 10), end(BAD, FAILED, 10)));
    counts.write(List.of(end(BAD, FINE, 10)));
    counts.write(List.of(end(BAD, FAILED, 10)));
    assertThat(order).containsExactly("note 3", "distrust", "note 0", "distrust");
  }

  @Test
  void slow_failures_losses_and_workers_that_succeed_are_not_counted() {
    for (int i = 0; i < 10; i++) {
      counts.write(
          List.of(
              end(BAD, FAILED, 5_000),
              end(BAD, new Outcome.Lost("agent_lost", Duration.ZERO), 0),
              end(BAD, new Outcome.Refused("full"), 0),
              end(GOOD, FINE, 1)));
    }
    assertThat(order).isEmpty();
  }

  @Test
  void another_session_of_the_worker_starts_anew() {
    counts.write(List.of(end(BAD, FAILED, 10)));
    var other = new SessionId(new UUID(4, 2));
    counts.write(List.of(end(BAD, other, FAILED, 10)));
    assertThat(order).isEmpty();
  }

  @Test
  void note_that_fails_is_repeated_with_the_next_end_and_the_results_are_answered() {
    notes.failure = new IllegalStateException("no database");
    var written = counts.write(List.of(end(BAD, FAILED, 10), end(BAD, FAILED, 10)));
    assertThat(written.settlements()).hasSize(2);
    notes.failure = null;
    counts.write(List.of(end(BAD, FAILED, 10)));
    assertThat(order).containsExactly("note 3", "distrust");
  }

  @Test
  void leader_sets_the_suspect_aside_and_the_count_starts_anew() {
    fail(4);
    watch.look(new Epoch(7));
    assertThat(order)
        .endsWith("set aside 7: 4 tasks in a row failed within 5000 ms of their start");
    assertThat(watch.setAside()).isEqualTo(1);
    order.clear();
    counts.write(List.of(end(BAD, FAILED, 10)));
    assertThat(order).as("the last ones that were under way").containsExactly("no note");
    counts.write(List.of(end(BAD, FAILED, 10)));
    assertThat(order).as("forgotten").containsExactly("no note");
  }

  @Test
  void worker_that_a_person_trusted_since_counts_anew() {
    fail(4);
    notes.failures = 0;
    order.clear();
    counts.write(List.of(end(BAD, FAILED, 10)));
    fail(2);
    assertThat(order).containsExactly("no note", "note 2", "distrust");
  }

  @Test
  void suspect_among_others_that_fail_stays_and_is_compared_once_a_second() {
    notes.others = new Others(1, 2, 0);
    fail(4);
    for (int i = 0; i < 5; i++) {
      watch.look(new Epoch(7));
    }
    assertThat(notes.compared).isEqualTo(1);
    nanos += Duration.ofSeconds(1).toNanos();
    notes.others = new Others(3, 0, 0);
    watch.look(new Epoch(7));
    assertThat(notes.compared).isEqualTo(2);
    assertThat(watch.setAside()).isEqualTo(1);
  }

  @Test
  void look_that_fails_stops_no_dispatch() {
    fail(4);
    notes.failure = new IllegalStateException("no database");
    watch.look(new Epoch(7));
    notes.failure = null;
    watch.look(new Epoch(7));
    assertThat(watch.setAside()).isEqualTo(1);
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      counts.write(List.of(end(BAD, FAILED, 10)));
    }
  }

  private WorkerEvent.Ended end(WorkerId worker, Outcome outcome, long ranMs) {
    return end(worker, SESSION, outcome, ranMs);
  }

  private WorkerEvent.Ended end(WorkerId worker, SessionId session, Outcome outcome, long ranMs) {
    tasks++;
    return new WorkerEvent.Ended(
        worker,
        session,
        new DispatchId(new UUID(2, tasks)),
        new TaskId(new UUID(1, tasks)),
        true,
        outcome,
        new Execution(1_000, 1_000 + ranMs, "", 0));
  }

  private static Results.Written written(List<WorkerEvent> events) {
    Set<DispatchId> failed =
        events.stream()
            .filter(event -> event instanceof WorkerEvent.Ended end && end.outcome().equals(FAILED))
            .map(WorkerEvent::dispatch)
            .collect(Collectors.toSet());
    return new Results.Written(
        events.stream().map(event -> new Settlement(event, Settlement.Answer.APPLIED)).toList(),
        Effects.NONE,
        false,
        true,
        failed);
  }

  /** One row of a worker, in memory. */
  private final class Notes implements TrustStore {
    private int failures;
    private boolean setAside;
    private int compared;
    private Others others = new Others(9, 0, 0);
    private @Nullable RuntimeException failure;

    @Override
    public boolean note(WorkerId worker, SessionId session, int before, int count) {
      check();
      if (setAside || (before > 0 && before != failures)) {
        order.add("no note");
        return false;
      }
      failures = count;
      order.add("note " + count);
      return true;
    }

    @Override
    public Look look(int suspectsMax) {
      check();
      return setAside || failures < SETTINGS.failures()
          ? new Look(List.of(), setAside ? 1 : 0)
          : new Look(List.of(new Suspect(BAD, SESSION, "bad", failures)), 0);
    }

    @Override
    public Others countOthers(WorkerId worker) {
      compared++;
      return others;
    }

    @Override
    public boolean setAside(Epoch epoch, Suspect suspect, String reason) {
      setAside = true;
      order.add("set aside " + epoch.value() + ": " + reason);
      return true;
    }

    private void check() {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
