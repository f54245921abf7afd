package dev.belay.simulation;

import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.WorkflowFile;
import java.util.List;

/** The shapes of runs. */
final class Graphs {
  private static final String CHAIN =
      """
      name: chain
      run: {max_active: 1}
      defaults: {retry: {max: 2, backoff: {initial: 1s, max: 4s}, on: {lost: {max: 2}, crash: {max: 1}}}}
      tasks:
        - {name: a, command: [run, "500", "0"]}
        - {name: b, command: [run, "1500", "1,0"], depends_on: [a]}
        - {name: c, command: [run, "4000", "0"], depends_on: [b], pool: other, fencing: strict}
        - {name: d, command: [run, "800", "0"], depends_on: [c]}
      """;

  private static final String FAN =
      """
      name: fan
      run: {max_active: 2}
      defaults: {retry: {on: {lost: {max: 2}, crash: {max: 1}}}}
      tasks:
        - {name: begin, command: [run, "200", "0"]}
        - {name: w1, command: [run, "900", "0"], depends_on: [begin], deadline: 20s}
        - {name: w2, command: [run, "25000", "0"], depends_on: [begin], fencing: strict}
        - {name: w3, command: [run, "10", "0"], depends_on: [begin]}
        - {name: w4, command: [run, "9000", "0"], depends_on: [begin], priority: 90}
        - {name: end, command: [run, "300", "0"], depends_on: [w1, w2, w3, w4]}
      """;

  private static final String BRANCH =
      """
      name: branch
      defaults: {retry: {on: {lost: {max: 1}, crash: {max: 1}}}}
      tasks:
        - {name: left, command: [run, "700", "0"], when: "${{ 1 > 2 }}"}
        - {name: right, command: [run, "700", "99"]}
        - {name: after_left, command: [run, "100", "0"], depends_on: [left]}
        - {name: join, command: [run, "100", "0"], depends_on: [left, right], trigger_rule: all_done}
      """;

  private static final String BROKEN =
      """
      name: broken
      defaults: {retry: {on: {lost: {max: 1}, crash: {max: 0}}}}
      tasks:
        - {name: fails, command: [run, "600", "1,1,0"]}
        - {name: works, command: [run, "7000", "0"], on_worker_lost: fail}
        - {name: needs_both, command: [run, "100", "0"], depends_on: [fails, works]}
        - {name: alone, command: [run, "50000", "0"], fencing: strict, on_worker_lost: fail}
        - {name: slow, command: [run, "60000", "0"], execution_timeout: 3s}
        - {name: silent, command: [run, "60000", "0"], stall_timeout: 3s, retry: {max: 1, backoff: {initial: 1s}}}
        - {name: mute, command: [run, "60000", "0"], stall_timeout: 4s, stop_grace: 1s, fencing: strict}
        - {name: talks, command: [run, "9000", "0", "1900"], stall_timeout: 2s, stop_grace: 30s}
        - {name: alarm, command: [run, "100", "0"], depends_on: [fails], trigger_rule: one_failed}
        - {name: cleanup, command: [run, "100", "0"], depends_on: [needs_both, alarm], trigger_rule: all_done}
      """;

  private static final String ALONE =
      """
      name: alone
      tasks:
        - {name: only, command: [run, "60000", "0"], fencing: strict, on_worker_lost: fail}
      """;

  private static final String SKIPS =
      """
      name: skips
      tasks:
        - {name: never, command: [run, "100", "0"], when: "${{ 1 > 2 }}"}
        - {name: nor, command: [run, "100", "0"], when: "${{ 2 > 3 }}"}
      """;

  private static final String SENSELESS =
      """
      name: senseless
      tasks:
        - {name: first, command: [run, "100", "0"]}
        - {name: no_value, command: [run, "${{ 1 / 0 }}", "0"]}
        - {name: neither, command: [run, "100", "0"], depends_on: [no_value]}
        - {name: nor_later, command: [run, "${{ 1 / 0 }}", "0"], depends_on: [first]}
      """;

  private static final String SCARCE =
      """
      name: scarce
      defaults: {exit_codes: {75: unavailable}, retry: {on: {lost: {max: 1}, crash: {max: 1}, unavailable: {max: 0}}}}
      tasks:
        - {name: fetch, command: [run, "300", "75,75,0"]}
        - {name: slow, command: [run, "900", "75,0"], retry: {on: {unavailable: {max: 1}}}, deadline: 90s}
        - {name: use, command: [run, "200", "0"], depends_on: [fetch]}
        - {name: picky, command: [run, "100", "1,3,0"], retry: {max: 3, backoff: {initial: 1s}, if: "${{ exit_code != 3 }}"}}
      """;

  private static final String WAITS =
      """
      name: waits
      defaults: {retry: {on: {lost: {max: 1}, crash: {max: 1}}}}
      tasks:
        - {name: first, wait: {for: 2s}}
        - {name: work, command: [run, "300", "0"], depends_on: [first]}
        - {name: pause, wait: {for: 15s}, depends_on: [work]}
        - {name: past, wait: {until: "2001-01-01T00:00:00Z"}, depends_on: [first]}
        - {name: too_long, wait: {for: 5m}, deadline: 20s}
        - {name: end, command: [run, "100", "0"], depends_on: [pause, past]}
      """;

  /** Over as soon as it is planned: only its start matters. */
  private static final String AFTER =
      """
      name: after
      triggers:
        - {workflow: chain, on: ended}
        - {workflow: skips}
      tasks:
        - {name: never, command: [run, "100", "0"], when: "${{ 1 > 2 }}"}
      """;

  private static final String LAST =
      """
      name: last
      triggers:
        - {workflow: after, on: ended}
        - {workflow: broken, on: succeeded}
      tasks:
        - {name: never, command: [run, "100", "0"], when: "${{ 1 > 2 }}"}
      """;

  /** They start when runs of others end. Each has one task. */
  static final List<WorkflowSpec> CHAINED = List.of(parsed(AFTER), parsed(LAST));

  static final List<WorkflowSpec> ALL =
      List.of(
          parsed(FAN),
          parsed(CHAIN),
          parsed(CHAIN),
          parsed(BROKEN),
          parsed(BRANCH),
          parsed(ALONE),
          parsed(SKIPS),
          parsed(SENSELESS),
          parsed(SCARCE),
          parsed(WAITS));

  private Graphs() {}

  static WorkflowSpec parsed(String file) {
    if (WorkflowFile.parse("graph.yaml", file) instanceof Parsed.Valid(WorkflowSpec spec)) {
      return spec;
    }
    throw new IllegalArgumentException("no valid workflow: " + file);
  }
}
