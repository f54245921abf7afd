package dev.belay.cli.terminal;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Ctrl-C and its relatives. The first one asks the command to end in order; the second one ends the
 * process at once, which leaves nothing behind that would not also survive a kill -9.
 *
 * <p>Shutdown hooks cannot do this: while they run, a second signal is ignored.
 */
public final class StopSignals {

  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  private final CompletableFuture<String> first = new CompletableFuture<>();

  private StopSignals() {}

  /** Takes the signals of this process. */
  public static StopSignals install() {
    var signals = new StopSignals();
    NAMES.forEach(signals::handle);
    return signals;
  }

  /** For tests and where a command is not the whole process: nothing ever comes by itself. */
  public static StopSignals none() {
    return new StopSignals();
  }

  /** Completed by the name of the first signal. */
  public CompletableFuture<String> first() {
    return first;
  }

  /** For a command that waits in one place: the first signal interrupts it there. */
  public void interrupt(Thread thread) {
    var _ = first.thenRun(thread::interrupt);
  }

  public boolean requested() {
    return first.isDone();
  }

  /** What the shell would report for the signal that came: 128 and its number. */
  public int status() {
    return switch (first.getNow("INT")) {
      case "TERM" -> 143;
      case "HUP" -> 129;
      default -> 130;
    };
  }

  private void arrived(String name) {
    if (!first.complete(name)) {
      Runtime.getRuntime().halt(status());
    }
  }

  private void handle(String name) {
    if (!RawSignal.handle(name, () -> arrived(name))) {
      // A JVM started with -Xrs, or without sun.misc, keeps its own way to end.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> first.complete(name)));
    }
  }
}
