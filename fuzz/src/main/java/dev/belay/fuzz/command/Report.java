package dev.belay.fuzz.command;

import dev.belay.fuzz.run.Finding;
import dev.belay.fuzz.run.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The report of {@code belay fuzz}. */
record Report(long seed, Outcome outcome, Duration elapsed) {

  private static final double MILLIS = 1000.0;

  List<String> lines() {
    var lines = new ArrayList<String>();
    outcome
        .counts()
        .byRoute()
        .forEach(
            (route, counts) ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  %-18s %s",
                        route,
                        new TreeMap<>(counts)
                            .entrySet().stream()
                                .map(count -> count.getKey() + ": " + count.getValue())
                                .collect(Collectors.joining(", ")))));
    for (Finding finding : outcome.findings()) {
      lines.add("");
      lines.add("FOUND " + finding.rule() + " at " + finding.which() + ": " + finding.message());
      if (finding.request() != null) {
        lines.add("  request " + finding.request().kind() + " " + finding.request().shown());
      }
      lines.add("  again   " + again(finding));
    }
    if (!outcome.uncovered().isEmpty()) {
      lines.add("Routes that did not both take and refuse a request: " + outcome.uncovered());
    }
    lines.add("");
    lines.add(verdict());
    return lines;
  }

  private String verdict() {
    return String.format(
        Locale.ROOT,
        "%s: seed %d, %,d requests (%,d refused) in %.1f s, %d findings (seen %d times); state"
            + " compared %d times over %,d requests in %d tables; health p99 %d ms, worst %d ms;"
            + " heap after %d MB of 256, resident %d MB; %,d lines of log",
        outcome.passed() ? "PASSED" : "FAILED",
        seed,
        outcome.counts().total(),
        outcome.counts().refused(),
        elapsed.toMillis() / MILLIS,
        outcome.findings().size(),
        outcome.found(),
        outcome.state().comparisons(),
        outcome.state().requests(),
        outcome.state().tables().size(),
        outcome.health().p99Millis(),
        outcome.health().worstMillis(),
        outcome.heap().heap(),
        outcome.heap().resident(),
        outcome.logLines());
  }

  Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("passed", outcome.passed());
    fields.put("seed", seed);
    fields.put("requests", outcome.counts().total());
    fields.put("refused", outcome.counts().refused());
    fields.put("routes", outcome.counts().byRoute());
    fields.put("uncovered", outcome.uncovered());
    fields.put("findings", outcome.findings().stream().map(this::fields).toList());
    fields.put("state_comparisons", outcome.state().comparisons());
    fields.put("state_requests", outcome.state().requests());
    fields.put("tables", outcome.state().tables());
    fields.put("health_p99_ms", outcome.health().p99Millis());
    fields.put("health_worst_ms", outcome.health().worstMillis());
    fields.put("health_first_bad", outcome.health().unhealthy());
    fields.put("heap_mb", outcome.heap().heap());
    fields.put("resident_mb", outcome.heap().resident());
    fields.put("log_lines", outcome.logLines());
    fields.put("elapsed_ms", elapsed.toMillis());
    return fields;
  }

  private Map<String, Object> fields(Finding finding) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("rule", finding.rule());
    fields.put("message", finding.message());
    fields.put("requests", finding.which());
    if (finding.request() != null) {
      fields.put("kind", finding.request().kind());
      fields.put("request", finding.request().shown());
    }
    fields.put("again", again(finding));
    return fields;
  }

  private String again(Finding finding) {
    return "./belay fuzz --seed " + seed + " --only " + finding.which();
  }
}
