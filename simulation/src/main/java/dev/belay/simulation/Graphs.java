package dev.belay.simulation;

import java.util.List;

/** The shapes of runs. */
final class Graphs {
  private static final String CHAIN =
      """
      name: chain
      defaults: {retry: {max: 2, backoff: {initial: 1s, max: 4s}}}
      tasks:
        - {name: a, command: [run, "500", "0"]}
        - {name: b, command: [run, "1500", "1,0"], depends_on: [a]}
        - {name: c, command: [run, "100", "0"], depends_on: [b], pool: other}
        - {name: d, command: [run, "800", "0"], depends_on: [c]}
      """;

  private static final String FAN =
      """
      name: fan
      tasks:
        - {name: begin, command: [run, "200", "0"]}
        - {name: w1, command: [run, "900", "0"], depends_on: [begin]}
        - {name: w2, command: [run, "2500", "0"], depends_on: [begin]}
        - {name: w3, command: [run, "10", "0"], depends_on: [begin]}
        - {name: w4, command: [run, "4000", "0"], depends_on: [begin], priority: 90}
        - {name: end, command: [run, "300", "0"], depends_on: [w1, w2, w3, w4]}
      """;

  private static final String BRANCH =
      """
      name: branch
      tasks:
        - {name: left, command: [run, "700", "0"], when: "${{ 1 > 2 }}"}
        - {name: right, command: [run, "700", "99"]}
        - {name: after_left, command: [run, "100", "0"], depends_on: [left]}
        - {name: join, command: [run, "100", "0"], depends_on: [left, right], trigger_rule: all_done}
      """;

  private static final String BROKEN =
      """
      name: broken
      tasks:
        - {name: fails, command: [run, "600", "1"]}
        - {name: works, command: [run, "1200", "0"]}
        - {name: needs_both, command: [run, "100", "0"], depends_on: [fails, works]}
        - {name: alarm, command: [run, "100", "0"], depends_on: [fails], trigger_rule: one_failed}
        - {name: cleanup, command: [run, "100", "0"], depends_on: [needs_both, alarm], trigger_rule: all_done}
      """;

  static final List<String> ALL = List.of(FAN, CHAIN, BRANCH, BROKEN);

  private Graphs() {}
}
