package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.PlanWriter;
import dev.belay.engine.plan.Plans.Applied;
import dev.belay.engine.plan.Plans.PlannedRun;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.engine.port.PlanReads.StoredRun;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Runs of workflows, with the real planner, step by step or until nothing is left to plan. */
final class Runs {

  private static final int MARKS_MAX = 1_000;
  private static final Planner PLANNER = new Planner(new CelExpressions());

  private final Stage stage;
  final PlanReads plans;
  final PlanWriter writer;
  private int triggered;

  Runs(Stage stage) {
    this.stage = stage;
    this.plans = stage.store.plans();
    this.writer =
        new PlanWriter(
            stage.store.transactions(),
            new QueueCatalog(stage.store.queues(), () -> 0),
            Meters.NONE);
  }

  /** A workflow w of one task a. */
  void registerOne(String limits) {
    register("name: w\nrun: %s\ntasks: [{name: a, command: [x]}]".formatted(limits));
  }

  /** A workflow w of which b comes after a. */
  void registerChain() {
    register("name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x], depends_on: [a]}]");
  }

  void register(String file) {
    stage.intake.register(spec(file));
  }

  static WorkflowSpec spec(String file) {
    return ((Parsed.Valid) WorkflowFile.parse("w.yaml", file)).spec();
  }

  RunId trigger() {
    return stage.intake.trigger("run " + triggered++, "w");
  }

  List<RunId> trigger(int times) {
    return Stream.generate(this::trigger).limit(times).toList();
  }

  /** A run whose tasks are there. */
  RunId started() {
    var run = trigger();
    plan();
    return run;
  }

  boolean cancel(RunId run) {
    stage.intake.cancelRun(run);
    return true;
  }

  boolean pause() {
    stage.intake.pause("w");
    return true;
  }

  boolean resume() {
    stage.intake.resume("w");
    return true;
  }

  /** Until no mark is left. */
  void plan() {
    var workflows = new Workflows(plans, SpecCodec::fromJson, 10);
    var phase = new PlanPhase(plans, writer, workflows, PLANNER, stage.ids(), Hints.NONE);
    for (int i = 0; phase.runOnce(stage.epoch, MARKS_MAX) > 0; i++) {
      assertThat(i).as("marks do not end").isLessThan(MARKS_MAX);
    }
  }

  /** The same in the order of the runs: that of their marks is the database's own affair. */
  void planInOrder() {
    var marked = new TreeSet<>(marked());
    for (int i = 0; !marked.isEmpty(); i++) {
      assertThat(i).as("marks do not end").isLessThan(MARKS_MAX);
      intend(marked.toArray(RunId[]::new)).apply();
      marked = new TreeSet<>(marked());
    }
  }

  /** What a leader has read and decided, and not yet written. */
  final class Intent {
    private final List<Long> marks;
    private final List<PlannedRun> planned;

    private Intent(List<Long> marks, List<PlannedRun> planned) {
      this.marks = marks;
      this.planned = planned;
    }

    Applied apply() {
      return writer.apply(stage.epoch, planned, marks);
    }
  }

  Intent intend(RunId... runs) {
    var wanted = Arrays.asList(runs);
    var marks =
        plans.readMarks(MARKS_MAX).stream()
            .filter(mark -> wanted.contains(mark.run()))
            .map(Mark::id)
            .toList();
    return new Intent(marks, plans.readRuns(wanted).stream().map(this::planned).toList());
  }

  /** Takes the marks of the run away and starts it, and does nothing else. */
  Intent intendNothing(RunId run) {
    var nothing = new Plan(List.of(), List.of(), List.of(), List.of(), null, null);
    var marks = plans.readMarks(MARKS_MAX).stream().map(Mark::id).toList();
    return new Intent(marks, List.of(new PlannedRun(read(run), nothing, List.of())));
  }

  private PlannedRun planned(StoredRun run) {
    try {
      var graph = Graph.of(SpecCodec.fromJson(plans.readSpec(run.workflow())));
      var plan = PLANNER.plan(graph, run.view());
      var ids =
          Stream.generate(() -> new TaskId(stage.ids().next()))
              .limit(plan.creations().size())
              .toList();
      return new PlannedRun(run, plan, ids);
    } catch (Graph.NotAGraph unplannable) {
      throw new AssertionError(unplannable);
    }
  }

  StoredRun read(RunId run) {
    return plans.readRuns(List.of(run)).getFirst();
  }

  RunState state(RunId run) {
    return read(run).view().state();
  }

  List<RunState> states(List<RunId> runs) {
    var states = new ArrayList<RunState>();
    runs.forEach(run -> states.add(state(run)));
    return states;
  }

  TaskId task(RunId run, String name) {
    return Objects.requireNonNull(read(run).view().tasks().get(name), name).id();
  }

  /** A worker takes the task and ends it so. */
  Dispatched finish(RunId run, String name, int exitCode) {
    var dispatched = stage.claimed(stage.newWorker(), task(run, name));
    assertThat(stage.heartbeat(dispatched.exitedAtOnce(exitCode))).containsExactly(Answer.APPLIED);
    return dispatched;
  }

  /** The runs that are to be planned, oldest mark first. */
  List<RunId> marked() {
    return plans.readMarks(MARKS_MAX).stream().map(Mark::run).toList();
  }
}
