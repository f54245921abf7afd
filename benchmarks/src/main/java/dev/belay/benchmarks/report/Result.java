package dev.belay.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of one system.
 *
 * @param figures by name, in display order: numbers and texts
 */
public record Result(String system, Map<String, Object> figures) {

  public static Result of(String system) {
    return new Result(system, Map.of());
  }

  public Result with(String name, Object value) {
    var more = new LinkedHashMap<>(figures);
    more.put(name, value);
    return new Result(system, more);
  }

  /** Rates of the repeats: the rate is their median. */
  public Result withRate(Spread spread) {
    return with("rate", Math.round(spread.median()))
        .with("median", Math.round(spread.median()))
        .with("min", Math.round(spread.min()))
        .with("max", Math.round(spread.max()));
  }

  /** Milliseconds of the repeats. */
  public Result withMillis(Spread spread) {
    return with("median_ms", rounded(spread.median()))
        .with("min_ms", rounded(spread.min()))
        .with("max_ms", rounded(spread.max()));
  }

  /** Keeps two digits: the measurements are not more precise. */
  public static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
