package dev.belay.simulation;

import dev.belay.domain.spec.WorkflowSpec;
import java.util.List;

/** Workflows with timed triggers, each with the files that it may have. Each run has one task. */
final class Timetables {

  /** Always fires once for what it missed, so a pause leaves nothing skipped behind. */
  static final String FAITHFUL = "faithful";

  /** Its runs last for a while, and its files differ in what happens to a second one. */
  static final String CROWDED = "crowded";

  static final List<String> NAMES = List.of(FAITHFUL, CROWDED);

  /** The names that triggers have in some file. */
  static final List<String> TRIGGERS = List.of("t", "u");

  private static final List<WorkflowSpec> FAITHFUL_FILES =
      List.of(
          faithful("{name: t, every: 7s, missed_after: 2s}"),
          faithful(
              "{name: t, cron: \"*/10 * * * * *\", missed_after: 3s}, "
                  + "{name: u, every: 11s, jitter: 4s, missed_after: 2s}"),
          faithful(
              "{name: t, every: 9s, missed_after: 1s},"
                  + " {name: u, every: 6s, jitter: 5s, missed_after: 3s}"));

  private static final List<WorkflowSpec> CROWDED_FILES =
      List.of(
          crowded(
              "{max_active: 1, overlap: skip}",
              "{name: t, every: 8s, missed: fire_all, missed_after: 2s, missed_max: 3,"
                  + " missed_age: 60s}"),
          crowded(
              "{max_active: 1, overlap: cancel_running}",
              "{name: t, every: 6s, missed: fire_all, missed_after: 2s, missed_age: 40s}"),
          crowded("{max_active: 1}", "{name: t, every: 14s, missed: skip, missed_after: 1s}"),
          crowded(
              "{max_active: 1, overlap: allow}",
              "{name: u, every: 9s, missed: skip, missed_after: 3s}"));

  private Timetables() {}

  static List<WorkflowSpec> filesOf(String workflow) {
    return workflow.equals(FAITHFUL) ? FAITHFUL_FILES : CROWDED_FILES;
  }

  static WorkflowSpec withoutTriggers(String workflow) {
    return workflow.equals(FAITHFUL) ? NO_TRIGGERS_FAITHFUL : NO_TRIGGERS_CROWDED;
  }

  private static final WorkflowSpec NO_TRIGGERS_FAITHFUL = faithful("");
  private static final WorkflowSpec NO_TRIGGERS_CROWDED = crowded("{max_active: 1}", "");

  private static WorkflowSpec faithful(String triggers) {
    return Graphs.parsed(
        """
        name: faithful
        triggers: [%s]
        tasks: [{name: never, command: [run, "100", "0"], when: "${{ 1 > 2 }}"}]
        """
            .formatted(triggers));
  }

  private static WorkflowSpec crowded(String limits, String triggers) {
    return Graphs.parsed(
        """
        name: crowded
        run: %s
        triggers: [%s]
        tasks: [{name: rest, wait: {for: 10s}}]
        """
            .formatted(limits, triggers));
  }
}
