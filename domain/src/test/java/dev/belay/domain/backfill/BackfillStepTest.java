package dev.belay.domain.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.backfill.BackfillStep.Decision;
import dev.belay.domain.backfill.Existing.Found;
import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BackfillStepTest {

  private static final Instant A = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant B = Instant.parse("2026-01-02T00:00:00Z");
  private static final Instant C = Instant.parse("2026-01-03T00:00:00Z");

  @Test
  void fires_as_many_as_there_is_room_for() {
    assertThat(BackfillStep.decide(List.of(A, B, C), Map.of(), Existing.MISSING, 2, 10))
        .isEqualTo(new BackfillStep(List.of(new Decision(A, null), new Decision(B, null)), C));
  }

  @Test
  void skipped_instants_need_no_room() {
    var found = Map.of(A, new Found(RunState.SUCCEEDED), C, new Found(null));
    var step = BackfillStep.decide(List.of(A, B, C), found, Existing.MISSING, 1, 10);
    assertThat(step.decisions())
        .containsExactly(
            new Decision(A, "exists: SUCCEEDED"),
            new Decision(B, null),
            new Decision(C, "exists: removed"));
    assertThat(step.next()).isNull();
    assertThat(step.fires()).containsExactly(B);
  }

  @Test
  void failed_repeats_what_failed_or_was_cancelled() {
    var found =
        Map.of(
            A, new Found(RunState.FAILED),
            B, new Found(RunState.CANCELLED),
            C, new Found(RunState.RUNNING));
    assertThat(BackfillStep.decide(List.of(A, B, C), found, Existing.FAILED, 9, 9).fires())
        .containsExactly(A, B);
    assertThat(BackfillStep.decide(List.of(A, B, C), found, Existing.ALL, 9, 9).fires())
        .containsExactly(A, B, C);
  }

  @Test
  void batch_is_bounded_and_may_be_cut() {
    var step = BackfillStep.decide(List.of(A, B, C), Map.of(), Existing.ALL, 9, 2);
    assertThat(step.next()).isEqualTo(C);
    assertThat(step.before(B)).isEqualTo(new BackfillStep(List.of(new Decision(A, null)), B));
    assertThat(step.before(C)).isEqualTo(step);
  }
}
