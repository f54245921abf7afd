package dev.belay.benchmarks.lab;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A histogram that a server shows on its page of metrics. */
final class Buckets {

  /** How many samples are at most this large. */
  private final Map<Double, Double> counts = new TreeMap<>();

  Buckets(String metrics, String name) {
    var line = Pattern.compile(name + "_bucket\\{le=\"([^\"]+)\"} (\\S+)");
    line.matcher(metrics)
        .results()
        .forEach(
            found ->
                counts.put(
                    found.group(1).equals("+Inf")
                        ? Double.POSITIVE_INFINITY
                        : Double.parseDouble(found.group(1)),
                    Double.parseDouble(found.group(2))));
  }

  /** The bound of the bucket that holds the percentile, like {@code "<= 500"}. */
  String percentile(double share) {
    double all = counts.values().stream().mapToDouble(each -> each).max().orElse(0);
    double last = 0;
    for (var bucket : counts.entrySet()) {
      if (bucket.getValue() >= share * all && all > 0) {
        return bucket.getKey().isInfinite()
            ? "> %.0f".formatted(last)
            : "<= %.0f".formatted(bucket.getKey());
      }
      last = bucket.getKey();
    }
    return "none";
  }
}
