package dev.belay.benchmarks.report;

import java.util.List;

/** The repeats of one figure. */
public record Spread(double median, double min, double max) {

  public static Spread of(List<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no samples");
    }
    var sorted = samples.stream().sorted().toList();
    int middle = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    return new Spread(median, sorted.getFirst(), sorted.getLast());
  }

  /** The smallest sample that at least this share (0 to 1) of all does not exceed. */
  public static double percentile(List<Double> samples, double share) {
    var sorted = samples.stream().sorted().toList();
    int rank = (int) Math.ceil(share * sorted.size());
    return sorted.get(Math.max(0, rank - 1));
  }
}
