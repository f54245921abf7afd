package dev.belay.simulation;

import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The events of a simulation: lines for people on request, and a hash of all for comparison. */
final class Trace {
  private static final long PRIME = 0x100000001b3L;
  private static final int ID_LENGTH = 36;
  private static final int BRIEF = 6;

  private final Scheduler scheduler;
  private final @Nullable Consumer<String> lines;
  private long hash = 0xcbf29ce484222325L;
  private long count;

  /**
   * @param lines receives each line; null when not needed
   */
  Trace(Scheduler scheduler, @Nullable Consumer<String> lines) {
    this.scheduler = scheduler;
    this.lines = lines;
  }

  void say(String who, String what) {
    note(who, what);
    if (lines != null) {
      tell(who, what);
    }
  }

  void say(String who, String what, Object whom) {
    note(who, what);
    mix(whom.toString());
    if (lines != null) {
      tell(who, what + " " + brief(whom));
    }
  }

  void say(String who, String what, Object whom, String more) {
    record(who, what, whom, more);
    if (lines != null) {
      tell(who, what + " " + brief(whom) + " " + more);
    }
  }

  /** Only for the hash; people get an explanation instead. */
  void record(String who, String what, Object whom, String more) {
    note(who, what);
    mix(whom.toString());
    mix(more);
  }

  /** Only for people; not in the hash. */
  void explain(String who, String what) {
    if (lines != null) {
      tell(who, what);
    }
  }

  boolean isRead() {
    return lines != null;
  }

  private void note(String who, String what) {
    hash = (hash ^ scheduler.nanos()) * PRIME;
    mix(who);
    mix(what);
    count++;
  }

  private void mix(String text) {
    hash = (hash ^ text.hashCode()) * PRIME;
  }

  private void tell(String who, String what) {
    long millis = scheduler.nanos() / 1_000_000;
    if (lines != null) {
      lines.accept(
          "%4d.%03d %s%-9s %s"
              .formatted(millis / 1000, millis % 1000, "  ".repeat(scheduler.depth()), who, what));
    }
  }

  /** The last digits distinguish ids. */
  static String brief(Object id) {
    var text = id.toString();
    return text.length() == ID_LENGTH ? text.substring(ID_LENGTH - BRIEF) : text;
  }

  String hash() {
    return count + "-" + HexFormat.of().toHexDigits(hash);
  }
}
