package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The report on all seeds.
 *
 * @param complaints problems besides failed seeds
 * @param expected events that must occur in many seeds
 * @param shrunk the first failed seed made small
 * @param elapsed in real time
 */
record Report(
    Summary summary,
    List<String> complaints,
    Map<Coverage.Kind, Set<String>> expected,
    Optional<Shrinker.Shrunk> shrunk,
    Duration elapsed) {

  private static final int TRACE_TAIL = 80;
  private static final int MILLIS = 1000;

  boolean passed() {
    return summary.failed() == 0 && complaints.isEmpty();
  }

  double seedsPerSecond() {
    return summary.seeds() / Math.max(0.001, elapsed.toNanos() / 1e9);
  }

  /** The last events of the first failed seed, and how to reproduce it. */
  List<String> failureLines(boolean withTrace) {
    if (summary.failures().isEmpty()) {
      return List.of();
    }
    var first = summary.failures().getFirst();
    var lines = new ArrayList<String>();
    if (withTrace) {
      var tail = traceTail(first);
      lines.add("The last %d lines of the trace (--trace shows all):".formatted(tail.size()));
      lines.addAll(tail);
    }
    lines.add("");
    for (var failed : summary.failures()) {
      lines.add("FAILED seed %d: %s".formatted(failed.scenario().seed(), message(failed)));
    }
    lines.add("  replay  " + Replay.command(first.scenario()));
    shrunk.ifPresent(small -> lines.addAll(smallestLines(small)));
    lines.add("");
    return lines;
  }

  private static List<String> smallestLines(Shrinker.Shrunk shrunk) {
    var scenario = shrunk.smallest().scenario();
    return List.of(
        "The smallest that fails, of %d that were tried:".formatted(shrunk.tries()),
        "  breaks  " + message(shrunk.smallest()),
        "  with    %d tasks, %d runs, %s of trouble, %d events"
            .formatted(
                scenario.tasks(),
                scenario.runs(),
                Durations.format(scenario.trouble()),
                shrunk.smallest().events()),
        "  faults  "
            + (scenario.faults().isEmpty()
                ? "none"
                : scenario.faults().stream().map(Enum::name).collect(Collectors.joining(", "))),
        "  replay  " + Replay.command(scenario));
  }

  /** How often each event occurred, in columns. */
  List<String> coverageLines() {
    var lines = new ArrayList<String>();
    for (var kind : Coverage.Kind.values()) {
      var counts = counts(kind);
      if (counts.isEmpty()) {
        continue;
      }
      int width = counts.keySet().stream().mapToInt(String::length).max().orElse(0);
      lines.add(word(kind) + "s");
      var format = "  %-" + width + "s  %,12d";
      counts.forEach((name, count) -> lines.add(String.format(Locale.ROOT, format, name, count)));
    }
    return lines;
  }

  List<String> verdictLines() {
    var lines = new ArrayList<>(complaints);
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %,d seeds, %,d failed; %,d events (at least %,d a seed), %,d faults (at least %,d"
                + " a seed), %s simulated",
            passed() ? "PASSED" : "FAILED",
            summary.seeds(),
            summary.failed(),
            summary.events(),
            summary.fewestEvents().map(Result::events).orElse(0L),
            summary.faults(),
            summary.fewestFaults().map(Result::faults).orElse(0L),
            Durations.format(Duration.ofSeconds(summary.simulated().toSeconds()))));
    lines.add("trace hash " + summary.traceHash());
    lines.add(
        String.format(
            Locale.ROOT,
            "%.1f seeds a second (%.1f s)",
            seedsPerSecond(),
            (double) elapsed.toMillis() / MILLIS));
    return lines;
  }

  /** The same for programs. */
  Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("passed", passed());
    fields.put("seeds", summary.seeds());
    fields.put("failed", summary.failed());
    fields.put("complaints", complaints);
    fields.put("events", summary.events());
    fields.put("events_least", summary.fewestEvents().map(Result::events).orElse(0L));
    fields.put("faults", summary.faults());
    fields.put("faults_least", summary.fewestFaults().map(Result::faults).orElse(0L));
    fields.put("trace_hash", summary.traceHash());
    fields.put("simulated_ms", summary.simulated().toMillis());
    fields.put("elapsed_ms", elapsed.toMillis());
    fields.put("seeds_per_second", Math.round(seedsPerSecond() * 10) / 10.0);
    var coverage = new LinkedHashMap<String, Object>();
    for (var kind : Coverage.Kind.values()) {
      coverage.put(word(kind), counts(kind));
    }
    fields.put("coverage", coverage);
    fields.put("failures", summary.failures().stream().map(Report::failureFields).toList());
    shrunk.ifPresent(small -> fields.put("smallest", failureFields(small.smallest())));
    return fields;
  }

  private static Map<String, Object> failureFields(Result failed) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("seed", failed.scenario().seed());
    fields.put("message", message(failed));
    fields.put("replay", Replay.command(failed.scenario()));
    fields.put("trace", traceTail(failed));
    return fields;
  }

  /** The events that occurred, and with zero those that should have. */
  private Map<String, Long> counts(Coverage.Kind kind) {
    var counts = new TreeMap<>(summary.coverage().of(kind));
    expected.getOrDefault(kind, Set.of()).forEach(name -> counts.putIfAbsent(name, 0L));
    return counts;
  }

  private static List<String> traceTail(Result failed) {
    var trace = failed.failure().orElseThrow().trace();
    return trace.subList(Math.max(0, trace.size() - TRACE_TAIL), trace.size());
  }

  private static String message(Result failed) {
    return failed.failure().orElseThrow().message();
  }

  private static String word(Coverage.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
