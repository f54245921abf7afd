package dev.belay.simulation.command;

import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Aggregates many seeds. Results are added in the order of their seeds. */
final class Summary {
  private static final int FAILURES_MAX = 100;

  private final Coverage coverage = new Coverage();
  private final CRC32C hashes = new CRC32C();
  private final List<Result> failures = new ArrayList<>();
  private @Nullable Result fewestEvents;
  private @Nullable Result fewestFaults;
  private String lastHash = "";
  private long seeds;
  private long failed;
  private long events;
  private long faults;
  private Duration simulated = Duration.ZERO;

  void add(Result result) {
    seeds++;
    events += result.events();
    faults += result.faults();
    simulated = simulated.plus(result.simulated());
    coverage.add(result.coverage());
    lastHash = result.traceHash();
    hashes.update(lastHash.getBytes(StandardCharsets.UTF_8));
    if (result.failure().isPresent()) {
      failed++;
      if (failures.size() < FAILURES_MAX) {
        failures.add(result);
      }
      return; // it ended early, so its counts mean nothing
    }
    if (fewestEvents == null || result.events() < fewestEvents.events()) {
      fewestEvents = result;
    }
    if (fewestFaults == null || result.faults() < fewestFaults.faults()) {
      fewestFaults = result;
    }
  }

  long seeds() {
    return seeds;
  }

  long failed() {
    return failed;
  }

  /** The first failed results. */
  List<Result> failures() {
    return failures;
  }

  long events() {
    return events;
  }

  long faults() {
    return faults;
  }

  Duration simulated() {
    return simulated;
  }

  Coverage coverage() {
    return coverage;
  }

  /** Among the seeds that passed. */
  Optional<Result> fewestEvents() {
    return Optional.ofNullable(fewestEvents);
  }

  Optional<Result> fewestFaults() {
    return Optional.ofNullable(fewestFaults);
  }

  /** The hash of a single seed, or the hash of all hashes. */
  String traceHash() {
    return seeds == 1 ? lastHash : HexFormat.of().toHexDigits((int) hashes.getValue());
  }
}
