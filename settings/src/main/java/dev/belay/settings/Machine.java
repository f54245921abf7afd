package dev.belay.settings;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Defaults that depend on the machine. */
final class Machine {

  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final Pattern MEM_TOTAL = Pattern.compile("MemTotal: +([0-9]{1,15}) kB");
  private static final int FILE_MAX = 4_096;
  private static final int MILLIS = 1_000;
  private static final long KIB = 1_024;
  private static final long MEMORY_MIN = KIB * KIB;

  private static final int SLOTS_MIN = 4;

  private Machine() {}

  /** Leaves the other processors to the rest of the process, however much there is to compute. */
  static int halfOfTheProcessors() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** A few more than processors, because tasks often wait for something else. */
  static int slots() {
    return Math.max(SLOTS_MIN, 2 * Runtime.getRuntime().availableProcessors());
  }

  /** Java knows the limit of the control group. */
  static int cpuMillis() {
    return MILLIS * Runtime.getRuntime().availableProcessors();
  }

  /** The least of what the machine has and the limits of the control groups. */
  static long memory() {
    long least = total(read(Path.of("/proc/meminfo"))).orElse(Runtime.getRuntime().maxMemory());
    for (Path limit : limits(read(Path.of("/proc/self/cgroup")))) {
      least = Math.min(least, limit(read(limit)).orElse(least));
    }
    // In whole KiB: a round number to read.
    return Math.max(MEMORY_MIN, least - least % KIB);
  }

  static OptionalLong total(String meminfo) {
    var found = MEM_TOTAL.matcher(meminfo);
    return found.find()
        ? OptionalLong.of(Long.parseLong(found.group(1)) * KIB)
        : OptionalLong.empty();
  }

  /**
   * The files with the limits of the process's group and of those around it: "0::/path" in version
   * 2, "4:memory:/path" in version 1. Inside a container the path may be the host's.
   */
  static List<Path> limits(String cgroups) {
    List<Path> files = new ArrayList<>();
    for (String line : cgroups.lines().toList()) {
      var parts = List.of(line.split(":", 3));
      if (parts.size() == 3 && parts.get(1).isEmpty()) {
        files.addAll(upwards(CGROUPS, parts.get(2), "memory.max"));
      } else if (parts.size() == 3 && List.of(parts.get(1).split(",")).contains("memory")) {
        files.addAll(upwards(CGROUPS.resolve("memory"), parts.get(2), "memory.limit_in_bytes"));
      }
    }
    return files;
  }

  private static List<Path> upwards(Path root, String group, String file) {
    List<Path> files = new ArrayList<>();
    for (Path at = root.resolve(group.substring(1)).normalize();
        at != null && at.startsWith(root);
        at = at.getParent()) {
      files.add(at.resolve(file));
    }
    return files;
  }

  /** Empty for "max", and for the huge number that means the same in version 1. */
  static OptionalLong limit(String text) {
    String number = text.strip();
    return number.matches("[1-9][0-9]{0,17}")
        ? OptionalLong.of(Long.parseLong(number))
        : OptionalLong.empty();
  }

  /** Empty when it cannot be read. */
  private static String read(Path file) {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readNBytes(FILE_MAX), US_ASCII);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
