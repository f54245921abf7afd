package dev.belay.agent.wiring;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The kernel's counters.
 *
 * @param uptime nanoseconds since the machine booted, including sleep; from the same file that our
 *     shell scripts read, in the same hundredths of a second
 * @param oomKills processes in the control group of the agent and its tasks that the kernel killed
 *     for lack of memory; always 0 where the kernel does not count them
 */
public record Kernel(LongSupplier uptime, LongSupplier oomKills) {

  private static final Path UPTIME = Path.of("/proc/uptime");
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
  private static final long NANOS_PER_HUNDREDTH = 10_000_000;

  /** Where a part is missing, as on other systems, it uses the next best thing. */
  public static Kernel real() {
    LongSupplier uptime = counter(UPTIME, Kernel::uptimeNanos).orElse(System::nanoTime);
    LongSupplier oomKills =
        oomFiles()
            .flatMap(file -> counter(file, Kernel::oomKills).stream())
            .findFirst()
            .orElse(() -> 0);
    return new Kernel(uptime, oomKills);
  }

  /** Opened once: a shortage of descriptors must not stop the clock. */
  private static Optional<LongSupplier> counter(Path path, ToLongFunction<String> parse) {
    if (!Files.isReadable(path)) {
      return Optional.empty();
    }
    try {
      var counter = new Counter(new RandomAccessFile(path.toFile(), "r"), parse);
      counter.getAsLong();
      return Optional.of(counter);
    } catch (IOException | RuntimeException unusable) {
      return Optional.empty();
    }
  }

  static long uptimeNanos(String text) {
    var seconds = text.substring(0, text.indexOf(' '));
    return Long.parseLong(seconds.replace(".", "")) * NANOS_PER_HUNDREDTH;
  }

  /** Both versions of control groups have the same line. */
  static long oomKills(String text) {
    return text.lines()
        .filter(line -> line.startsWith("oom_kill "))
        .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length()).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no oom_kill in: " + text));
  }

  private static Stream<Path> oomFiles() {
    try {
      return Files.readAllLines(Path.of("/proc/self/cgroup")).stream().flatMap(Kernel::oomFiles);
    } catch (IOException noControlGroups) {
      return Stream.of();
    }
  }

  /** "0::/path" in version 2, "4:memory:/path" in version 1; the path may be the host's. */
  static Stream<Path> oomFiles(String line) {
    var parts = List.of(line.split(":", 3));
    var path = parts.getLast().substring(1);
    return switch (parts.get(1)) {
      case "" -> Stream.of(path, "").map(at -> CGROUPS.resolve(at).resolve("memory.events"));
      case "memory" ->
          Stream.of(path, "")
              .map(at -> CGROUPS.resolve("memory").resolve(at).resolve("memory.oom_control"));
      default -> Stream.of();
    };
  }

  /** A kernel file with a number, read again at each call. */
  private record Counter(RandomAccessFile file, ToLongFunction<String> parse)
      implements LongSupplier {
    private static final int BYTES_MAX = 1_024;

    @Override
    public synchronized long getAsLong() {
      try {
        var bytes = new byte[BYTES_MAX];
        file.seek(0);
        int length = file.read(bytes);
        return parse.applyAsLong(new String(bytes, 0, Math.max(0, length), US_ASCII));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
