package dev.belay.cli.terminal;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Ctrl-C and its relatives. The first signal asks the command to end in order. The second ends the
 * process at once, with the same effect as kill -9.
 *
 * <p>Shutdown hooks cannot do this: while they run, the JVM ignores a second signal.
 */
public final class StopSignals {

  private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

  private final CompletableFuture<String> first = new CompletableFuture<>();

  private StopSignals() {}

  /** Takes over the signals of this process. */
  public static StopSignals install() {
    var signals = new StopSignals();
    NAMES.forEach(signals::handle);
    return signals;
  }

  /** For tests and commands that are not the whole process: no signal ever comes. */
  public static StopSignals none() {
    return new StopSignals();
  }

  /** Completes with the name of the first signal. */
  public CompletableFuture<String> first() {
    return first;
  }

  /** The first signal interrupts this thread. */
  public void interrupt(Thread thread) {
    var _ = first.thenRun(thread::interrupt);
  }

  public boolean requested() {
    return first.isDone();
  }

  /** The shell's status for the signal: 128 plus its number. */
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
      // A JVM with -Xrs or without sun.misc keeps its own signal handling.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> first.complete(name)));
    }
  }
}
