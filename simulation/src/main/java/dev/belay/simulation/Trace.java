package dev.belay.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** What happened: the last lines for people, all of them in a hash for comparison. */
final class Trace {
  private static final int KEPT_MAX = 400;

  private final Scheduler scheduler;
  private final ArrayDeque<String> kept = new ArrayDeque<>();
  private final CRC32C hash = new CRC32C();
  private long lines;

  Trace(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void say(String who, String what) {
    long millis = Duration.ofNanos(scheduler.nanos()).toMillis();
    var line =
        "%4d.%03d %s%-8s %s"
            .formatted(millis / 1000, millis % 1000, "  ".repeat(scheduler.depth()), who, what);
    hash.update(line.getBytes(StandardCharsets.UTF_8));
    lines++;
    kept.add(line);
    if (kept.size() > KEPT_MAX) {
      kept.removeFirst();
    }
  }

  /** Ids differ in their last digits. */
  static String brief(Object id) {
    var text = id.toString();
    return text.substring(Math.max(0, text.length() - 6));
  }

  String hash() {
    return lines + "-" + HexFormat.of().toHexDigits((int) hash.getValue());
  }

  String tail() {
    return String.join("\n", kept);
  }
}
