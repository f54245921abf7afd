package dev.belay.simulation;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.simulation.Coverage.Kind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Events that must occur in many seeds, and those that cannot yet, with the reason. */
final class Expected {
  private static final String NEW = "new";

  /** Nothing leads there yet: approvals and policies do not exist. */
  private static final Set<TaskState> UNREACHED =
      EnumSet.of(TaskState.APPROVAL_REQUIRED, TaskState.DENIED, TaskState.OUTPUT_QUARANTINED);

  /** Why each of these events cannot occur, by its name. */
  static final Map<String, String> CANNOT_YET =
      Map.ofEntries(
          Map.entry("run_timeout", "no run of the simulated world has a timeout yet"),
          Map.entry("wait_expired", "nothing waits for a person or an event yet"),
          Map.entry(
              "not_reported",
              "an agent forgets nothing that is not settled; only the late hello of a worker that"
                  + " somebody removed lacks what it holds, which is rare"),
          Map.entry(
              "task BLOCKED -> SUCCEEDED",
              "only an attempt that was asked to end for its cost, was lost and succeeds late,"
                  + " which is rare"),
          Map.entry("task SCHEDULED -> PENDING", "nothing is admitted a second time yet"),
          Map.entry("task PENDING -> DEFERRED", "what waits for a time is deferred at once"),
          Map.entry("task RUNNING -> DEFERRED", "no attempt asks to wait yet"),
          Map.entry("task DEFERRED -> PENDING", "a wait is all that a deferred task does"),
          Map.entry("task DEFERRED -> FAILED", "nothing waits for an event yet"));

  private Expected() {}

  static Set<String> of(Kind kind) {
    var names = new TreeSet<String>();
    switch (kind) {
      case RULE -> Arrays.stream(RecoveryKind.values()).map(RecoveryKind::word).forEach(names::add);
      case FAULT -> Arrays.stream(FaultKind.values()).map(FaultKind::name).forEach(names::add);
      case TRANSITION -> {
        TaskTransitions.EDGES.stream()
            .filter(edge -> !UNREACHED.contains(edge.to()))
            .filter(edge -> edge.from() == null || !UNREACHED.contains(edge.from()))
            .forEach(edge -> names.add(transition(edge.from(), edge.to())));
        RunTransitions.EDGES.forEach(edge -> names.add(transition(edge.from(), edge.to())));
      }
      case REASON -> {
        Arrays.stream(AbortReason.values()).map(AbortReason::word).forEach(names::add);
        names.add("stalled");
      }
      case CHAIN -> names.addAll(Chainings.EXPECTED);
      case FIRE ->
          names.addAll(
              Set.of(
                  "fired",
                  "fired resumed",
                  "coalesced",
                  "skipped missed",
                  "skipped paused",
                  "skipped trigger_paused",
                  "skipped overlap"));
      case BACKFILL -> names.addAll(Set.of("completed", "cancelled", "paused"));
      case DEAD_LETTER ->
          names.addAll(
              Set.of(DeadLetterReason.NO_WORKERS.word(), DeadLetterReason.DISPATCH_FAILED.word()));
    }
    names.removeAll(CANNOT_YET.keySet());
    return names;
  }

  static String transition(@Nullable TaskState from, TaskState to) {
    return "task " + (from == null ? NEW : from.name()) + " -> " + to.name();
  }

  static String transition(@Nullable RunState from, RunState to) {
    return "run " + (from == null ? NEW : from.name()) + " -> " + to.name();
  }

  /** Without its details. */
  static String reason(String reason) {
    int colon = reason.indexOf(':');
    return colon < 0 ? reason : reason.substring(0, colon);
  }
}
