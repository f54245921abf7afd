package dev.belay.simulation.contract;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.TriggerSpec.AfterWorkflow;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.TriggerMeters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.trigger.ChainPhase;
import dev.belay.simulation.Observed.ChainEnd;
import dev.belay.simulation.Observed.ChainedRun;
import dev.belay.workflow.SpecCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Workflows that start when a run of w ends, with the real phase. */
final class Chains {

  static final int DEPTH_MAX = 3;

  private final Stage stage;

  Chains(Stage stage) {
    this.stage = stage;
  }

  /** A workflow of one task that starts when a run of the other ends so. */
  void after(String upstream, String workflow, RunState... on) {
    after(upstream, workflow, RunLimits.NONE, on);
  }

  void after(String upstream, String workflow, RunLimits limits, RunState... on) {
    var alone = Runs.spec("name: %s\ntasks: [{name: a, command: [x]}]".formatted(workflow));
    var trigger = new AfterWorkflow("after " + upstream, upstream, Set.of(on), Map.of());
    stage.intake.register(
        new WorkflowSpec(
            alone.tenant(), workflow, null, Map.of(), List.of(trigger), limits, alone.tasks()));
  }

  /** Until nothing is left to decide. */
  void decide() {
    var phase = phase(stage.store.chains());
    while (phase.runOnce().isZero()) {}
  }

  /** A leader who has read these ends and not yet written anything. */
  ChainPhase havingRead() {
    var read = stage.store.chains().readPending(100, 100);
    return phase((max, each) -> read);
  }

  private ChainPhase phase(ChainReads reads) {
    RunParams params =
        requests ->
            requests.stream()
                .<RunParams.Answer>map(request -> new RunParams.Answer.Resolved("{}"))
                .toList();
    return new ChainPhase(
        reads,
        stage.store.transactions(),
        new ChainPhase.Starts(params, SpecCodec::triggerFromJson, stage.ids(), DEPTH_MAX),
        () -> Optional.of(stage.epoch),
        Hints.NONE,
        TriggerMeters.NONE);
  }

  /** What became of each end, in words. */
  List<String> outcomes() {
    return stage.observed.chainEnds().stream().map(Chains::words).toList();
  }

  private static String words(ChainEnd end) {
    return end.generation()
        + " "
        + end.outcome()
        + (end.reason() == null ? "" : " " + end.reason());
  }

  /** The runs that the end of this one started. */
  List<ChainedRun> startedBy(RunId upstream) {
    return stage.observed.chainedRuns().stream()
        .filter(run -> run.upstream().equals(upstream))
        .toList();
  }

  /** A run that ended so. */
  RunId ended(int exitCode) {
    var run = stage.runs.started();
    stage.runs.finish(run, "a", exitCode);
    stage.runs.plan();
    return run;
  }
}
