package dev.belay.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.store.apply.Applied;
import dev.belay.store.apply.SetIntake;
import dev.belay.store.apply.WantedSet;
import dev.belay.store.apply.WantedSet.Prune;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Triggers that are due together are written by two transactions. */
class ManyTriggersTest {

  private static final int WORKFLOWS = 150;

  @Test
  void triggers_that_are_due_together_fire_once_each() {
    try (var store = new LiveStore()) {
      store.rows().clear();
      apply(store);
      var besides = new AtomicInteger();
      var schedules =
          new SchedulePhase(
              new SchedulePhase.Parts(
                  new PostgresSchedules(store.jdbi()),
                  store.transactions,
                  ManyTriggersTest::withoutParams,
                  json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
                  store.ids(),
                  Hints.NONE,
                  Meters.NONE,
                  work -> {
                    besides.incrementAndGet();
                    Thread.ofVirtual().start(work);
                  }),
              () -> Optional.of(store.epoch()),
              ScheduleSettings.DEFAULT);

      var _ = schedules.runOnce();

      assertThat(besides).hasPositiveValue();
      assertThat(store.rows().count("fire WHERE outcome = 'fired'")).isEqualTo(WORKFLOWS);
      assertThat(store.rows().count("run")).isEqualTo(WORKFLOWS);
      assertThat(store.rows().count("trigger_version WHERE due_at <= belay_now()")).isZero();
    }
  }

  private static List<RunParams.Answer> withoutParams(List<RunParams.Request> requests) {
    return requests.stream()
        .<RunParams.Answer>map(request -> new RunParams.Answer.Resolved("{}"))
        .toList();
  }

  /** The last midnight is due. */
  private static void apply(LiveStore store) {
    var workflows = IntStream.range(0, WORKFLOWS).mapToObj(ManyTriggersTest::workflow).toList();
    var sets = new SetIntake(store.jdbi(), store.ids(), store.rows().hints());
    assertThat(sets.apply(new WantedSet(workflows, null, Prune.KEEP), null, "me"))
        .isInstanceOf(Applied.Done.class);
    store
        .rows()
        .run(
            "UPDATE trigger_version SET next_at = date_trunc('day', belay_now(), 'UTC'), due_at ="
                + " belay_now(), from_at = belay_now() - interval '2 days'");
  }

  private static NewWorkflow workflow(int number) {
    var name = "w" + number;
    var source =
        "name: %s\ntriggers: [{every: 1d, name: daily}]\ntasks: [{name: t, command: [x]}]"
            .formatted(name);
    var spec = ((Parsed.Valid) WorkflowFile.parse(name + ".yaml", source)).spec();
    return new NewWorkflow(
        "default", name, 1, SpecCodec.toJson(spec), source, new TriggerNeeds(Set.of(), Set.of()));
  }
}
