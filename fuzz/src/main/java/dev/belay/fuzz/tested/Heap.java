package dev.belay.fuzz.tested;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory of a JVM after a collection, in megabytes.
 *
 * @param heap -1 when unknown
 * @param resident peak memory of the whole process
 */
public record Heap(long heap, long resident) {

  private static final Pattern USED = Pattern.compile("used ([0-9]+)K");
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+([0-9]+) kB");
  private static final long ASK_MAX_SECONDS = 30;

  public static Heap of(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    return new Heap(megabytes(USED, jcmd(pid, "GC.heap_info")), megabytes(PEAK, status(pid)));
  }

  private static long megabytes(Pattern kilobytes, String text) {
    Matcher found = kilobytes.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) / 1024 : -1;
  }

  private static String status(long pid) throws IOException {
    Path file = Path.of("/proc", Long.toString(pid), "status");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static String jcmd(long pid, String order) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                order)
            .redirectErrorStream(true)
            .start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var _ = process.waitFor(ASK_MAX_SECONDS, TimeUnit.SECONDS);
    return answer;
  }
}
