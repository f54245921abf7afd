package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.engine.port.Epoch;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Triggers that wait for the end of a run. */
abstract class ChainContract extends Contract {

  private final Runs runs = stage.runs;
  private final Chains chains = new Chains(stage);

  ChainContract(Ground ground) {
    super(ground);
  }

  @Test
  void end_of_a_run_starts_a_run_of_the_workflow_that_waits_for_it() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.SUCCEEDED);
    var upstream = chains.ended(0);
    assertThat(chains.outcomes()).containsExactly("1 pending");
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired");
    var started = chains.startedBy(upstream);
    assertThat(started).hasSize(1);
    assertThat(started.getFirst().depth()).isEqualTo(1);
    assertThat(started.getFirst().logicalDate())
        .hasToString((String) runs.read(upstream).view().scope().run().get("logical_date"));
    assertThat(stage.observed.chainEnds().getFirst().run()).isEqualTo(started.getFirst().run());
    assertThat(runs.marked()).containsExactly(started.getFirst().run());
    runs.plan();
    assertThat(runs.state(started.getFirst().run())).isEqualTo(RunState.RUNNING);
  }

  @Test
  void each_trigger_decides_by_itself_and_once() {
    runs.registerOne("{}");
    chains.after("w", "always", RunState.SUCCEEDED, RunState.FAILED);
    chains.after("w", "mended", RunState.FAILED);
    var good = chains.ended(0);
    var bad = chains.ended(1);
    chains.decide();
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired", "1 fired", "1 skipped on", "1 fired");
    assertThat(chains.startedBy(good)).hasSize(1);
    assertThat(chains.startedBy(bad)).hasSize(2);
  }

  @Test
  void run_that_nobody_waits_for_leaves_no_row() {
    runs.registerOne("{}");
    chains.after("other", "next", RunState.SUCCEEDED);
    chains.ended(0);
    assertThat(chains.outcomes()).isEmpty();
  }

  @Test
  void trigger_that_comes_after_the_end_does_not_fire_for_it() {
    runs.registerOne("{}");
    chains.ended(0);
    chains.after("w", "next", RunState.SUCCEEDED);
    chains.decide();
    assertThat(chains.outcomes()).isEmpty();
  }

  @Test
  void retried_run_ends_again_in_its_next_generation() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.SUCCEEDED, RunState.FAILED);
    var upstream = chains.ended(1);
    chains.decide();
    assertThat(stage.intake.retryRun(upstream)).isTrue();
    runs.plan();
    runs.finish(upstream, "a", 0);
    runs.planInOrder();
    assertThat(chains.outcomes()).containsExactly("1 fired", "2 pending");
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired", "2 fired");
    assertThat(chains.startedBy(upstream)).hasSize(2);
  }

  /** The run is open again when the leader comes to decide its first end. */
  @Test
  void end_is_decided_as_it_was_though_the_run_is_retried_meanwhile() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.FAILED);
    var upstream = chains.ended(1);
    assertThat(stage.intake.retryRun(upstream)).isTrue();
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired");
    runs.plan();
    runs.finish(upstream, "a", 0);
    runs.planInOrder();
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired", "2 skipped on");
  }

  @Test
  void paused_workflow_starts_nothing_and_the_row_says_why() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.SUCCEEDED);
    stage.intake.pause("next");
    chains.ended(0);
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 skipped paused");
    assertThat(stage.observed.chainedRuns()).isEmpty();
  }

  @Test
  void trigger_that_was_in_force_at_the_end_decides_though_it_changed_since() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.SUCCEEDED);
    chains.ended(0);
    chains.after("other", "next", RunState.SUCCEEDED);
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired");
    chains.ended(0);
    assertThat(chains.outcomes()).containsExactly("1 fired");
  }

  @Test
  void end_without_room_for_another_run_is_skipped_if_the_workflow_says_so() {
    runs.registerOne("{}");
    chains.after("w", "next", limit(Overlap.SKIP), RunState.SUCCEEDED);
    chains.ended(0);
    chains.ended(0);
    chains.decide();
    assertThat(chains.outcomes()).containsExactly("1 fired", "1 skipped overlap");
    chains.ended(0);
    chains.decide();
    assertThat(chains.outcomes())
        .containsExactly("1 fired", "1 skipped overlap", "1 skipped overlap");
  }

  @Test
  void end_cancels_the_oldest_run_if_the_workflow_says_so() {
    runs.registerOne("{}");
    chains.after("w", "next", limit(Overlap.CANCEL_RUNNING), RunState.SUCCEEDED);
    var first = chains.ended(0);
    chains.decide();
    runs.plan();
    var second = chains.ended(0);
    chains.decide();
    runs.plan();
    assertThat(runs.state(chains.startedBy(first).getFirst().run())).isEqualTo(RunState.CANCELLED);
    assertThat(runs.state(chains.startedBy(second).getFirst().run())).isEqualTo(RunState.RUNNING);
  }

  private static RunLimits limit(Overlap overlap) {
    return new RunLimits(1, null, overlap, null, null, null);
  }

  @Test
  void cycle_ends_at_its_depth() {
    chains.after("w", "w", RunState.SUCCEEDED);
    var run = chains.ended(0);
    for (int i = 0; i < Chains.DEPTH_MAX; i++) {
      chains.decide();
      run = chains.startedBy(run).getFirst().run();
      runs.plan();
      runs.finish(run, "a", 0);
      runs.plan();
    }
    chains.decide();
    assertThat(chains.outcomes())
        .containsExactly("1 fired", "1 fired", "1 fired", "1 skipped depth");
    var depths = new ArrayList<Integer>();
    stage.observed.chainedRuns().forEach(one -> depths.add(one.depth()));
    assertThat(depths).containsExactly(1, 2, 3);
  }

  @Test
  void what_was_read_before_another_decided_is_not_decided_again() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.SUCCEEDED);
    var upstream = chains.ended(0);
    var late = chains.havingRead();
    chains.decide();
    late.runOnce();
    assertThat(chains.outcomes()).containsExactly("1 fired");
    assertThat(chains.startedBy(upstream)).hasSize(1);
  }

  @Test
  void deposed_leader_decides_nothing() {
    runs.registerOne("{}");
    chains.after("w", "next", RunState.SUCCEEDED);
    chains.ended(0);
    var now = stage.epoch;
    stage.epoch = new Epoch(7);
    chains.decide();
    stage.epoch = now;
    assertThat(chains.outcomes()).containsExactly("1 pending");
    assertThat(stage.observed.chainedRuns()).isEmpty();
  }
}
