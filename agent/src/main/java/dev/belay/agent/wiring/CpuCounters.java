package dev.belay.agent.wiring;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.belay.agent.wiring.CpuMeter.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The kernel's counters of processor time: of the control group of the agent and its tasks where it
 * has a limit (version 2), because it can use no more; otherwise of the machine.
 */
final class CpuCounters {

  private static final Path STAT = Path.of("/proc/stat");
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final int LINE_MAX = 512;

  /** In /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
  private static final int IDLE = 3;

  private static final int IOWAIT = 4;
  private static final int COUNTED = 8;

  private CpuCounters() {}

  /** Empty where the kernel has no such counters. */
  static Optional<CpuMeter> meter(LongSupplier ticker) {
    for (Path group : groups()) {
      Optional<Double> limit = limit(read(group.resolve("cpu.max")));
      if (limit.isPresent()) {
        Path usage = group.resolve("cpu.stat");
        return Optional.of(new CpuMeter(() -> usage(read(usage), limit.get(), ticker.getAsLong())));
      }
    }
    return machine(ticker).map(_ -> new CpuMeter(() -> machine(ticker)));
  }

  /** The agent's group and those around it, which may have the limit. */
  private static List<Path> groups() {
    List<Path> groups = new ArrayList<>();
    for (String line : read(Path.of("/proc/self/cgroup")).lines().toList()) {
      if (line.startsWith("0::/")) {
        for (Path group = CGROUPS.resolve(line.substring("0::/".length())).normalize();
            group != null && group.startsWith(CGROUPS);
            group = group.getParent()) {
          groups.add(group);
        }
      }
    }
    return groups;
  }

  /** Processors in the text of cpu.max, such as "150000 100000"; empty for "max 100000". */
  static Optional<Double> limit(String text) {
    String[] parts = text.strip().split(" ", -1);
    return parts.length == 2
            && parts[0].matches("[0-9]{1,15}")
            && parts[1].matches("[1-9][0-9]{0,14}")
        ? Optional.of(Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]))
            .filter(processors -> processors > 0)
        : Optional.empty();
  }

  /** The line "usage_usec 123" of cpu.stat. */
  static Optional<Sample> usage(String text, double processors, long nanos) {
    return text.lines()
        .filter(line -> line.matches("usage_usec [0-9]{1,18}"))
        .map(line -> Long.parseLong(line.substring("usage_usec ".length())))
        .findFirst()
        .map(micros -> new Sample(micros * 1_000, Math.round(nanos * processors), nanos));
  }

  private static Optional<Sample> machine(LongSupplier ticker) {
    return machine(read(STAT), ticker.getAsLong());
  }

  /** The first line of /proc/stat. Time of virtual machines counts as user time, too. */
  static Optional<Sample> machine(String text, long nanos) {
    String line = text.lines().findFirst().orElse("");
    if (!line.matches("cpu +[0-9]{1,18}( [0-9]{1,18}){4,}")) {
      return Optional.empty();
    }
    String[] times = line.substring("cpu".length()).strip().split(" +");
    long available = 0;
    long idle = 0;
    for (int i = 0; i < Math.min(COUNTED, times.length); i++) {
      long time = Long.parseLong(times[i]);
      available += time;
      idle += i == IDLE || i == IOWAIT ? time : 0;
    }
    return Optional.of(new Sample(available - idle, available, nanos));
  }

  /** Enough of the file for its first lines; empty when it cannot be read. */
  private static String read(Path file) {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(LINE_MAX), US_ASCII);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
