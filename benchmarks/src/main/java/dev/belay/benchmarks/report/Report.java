package dev.belay.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The report of one benchmark.
 *
 * @param complaints why it cannot be trusted; empty when it can
 * @param settings of the benchmark
 */
public record Report(
    String scenario, List<String> complaints, Map<String, String> settings, List<Result> results) {

  private static final JsonMapper JSON = new JsonMapper();

  public boolean valid() {
    return complaints.isEmpty();
  }

  public String json() {
    var root = new LinkedHashMap<String, Object>();
    root.put("scenario", scenario);
    root.put("valid", valid());
    if (!valid()) {
      root.put("reason", String.join(" ", complaints));
    }
    root.put("settings", settings);
    root.put(
        "results",
        results.stream()
            .map(
                result -> {
                  var row = new LinkedHashMap<String, Object>();
                  row.put("system", result.system());
                  row.putAll(result.figures());
                  return row;
                })
            .toList());
    try {
      return JSON.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A table, the settings, and whether to trust it. */
  public List<String> lines() {
    var names = new LinkedHashSet<String>();
    results.forEach(result -> names.addAll(result.figures().keySet()));
    names.remove("median");
    var table =
        new Table(Stream.concat(Stream.of(scenario), names.stream()).toArray(String[]::new));
    for (var result : results) {
      var cells = new ArrayList<Cell>();
      cells.add(Cell.of(result.system()));
      for (var name : names) {
        cells.add(Cell.of(String.valueOf(result.figures().getOrDefault(name, ""))));
      }
      table.add(cells.toArray(Cell[]::new));
    }
    var lines = new ArrayList<>(table.lines(new Style(false)));
    lines.add("");
    settings.forEach((name, value) -> lines.add(name + ": " + value));
    complaints.forEach(complaint -> lines.add("INVALID: " + complaint));
    return lines;
  }
}
