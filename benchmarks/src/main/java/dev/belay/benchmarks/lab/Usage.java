package dev.belay.benchmarks.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a system and the database have used since they started.
 *
 * @param cpuMicros by process; the database's includes its autovacuum. Empty where there is no
 *     {@code /proc}
 * @param walBytes of the whole server
 */
public record Usage(Map<String, Double> cpuMicros, double walBytes) {

  private static final Path PROC = Path.of("/proc");

  /** The kernel counts in hundredths of a second. */
  private static final double MICROS_IN_TICK = 10_000;

  /** Places of utime, stime, cutime and cstime behind the name of the process. */
  private static final int UTIME = 11;

  public static Usage of(Contender contender, Postgres postgres) throws SQLException {
    var cpu = new LinkedHashMap<String, Double>();
    if (Files.isDirectory(PROC.resolve("self"))) {
      for (var process : contender.processes().entrySet()) {
        cpu.put(process.getKey(), micros(process.getValue(), 2));
      }
      if (postgres.pid().isPresent()) {
        cpu.put("postgres", family(postgres.pid().getAsLong()));
      }
    }
    return new Usage(cpu, postgres.walBytes());
  }

  /** What one of so many tasks used between then and now: {@code cpu_us_PROCESS, wal_bytes}. */
  public Map<String, Double> perTaskSince(Usage then, int tasks) {
    var figures = new LinkedHashMap<String, Double>();
    cpuMicros.forEach(
        (process, micros) ->
            figures.put(
                "cpu_us_" + process, (micros - then.cpuMicros.getOrDefault(process, 0.0)) / tasks));
    figures.put("wal_bytes", (walBytes - then.walBytes) / tasks);
    return figures;
  }

  /** The process, its children, and those of its children that have ended. */
  private static double family(long pid) {
    double sum = micros(pid, 4);
    for (var child : ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).toList()) {
      sum += micros(child.pid(), 2);
    }
    return sum;
  }

  private static double micros(long pid, int fields) {
    String text;
    try {
      text = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
    } catch (IOException gone) {
      return 0; // It ended after it was listed; its parent's figure has its time.
    }
    var words = List.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
    return Stream.iterate(UTIME, place -> place + 1)
        .limit(fields)
        .mapToDouble(place -> Double.parseDouble(words.get(place)) * MICROS_IN_TICK)
        .sum();
  }
}
