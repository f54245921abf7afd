package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Lab;
import java.util.Locale;

/** The benchmarks by name. */
public enum Scenario {
  THROUGHPUT(Throughput::run);

  /** Measures. */
  private interface Body {
    Outcome run(Lab lab, Wanted wanted) throws Exception;
  }

  private final Body body;

  Scenario(Body body) {
    this.body = body;
  }

  public Outcome run(Lab lab, Wanted wanted) throws Exception {
    return body.run(lab, wanted);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
