package dev.belay.cli.process;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Started parts, which stop in reverse order; one that fails to stop does not hold up the rest. */
final class Parts implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Parts.class);

  private record Part(String name, AutoCloseable stop) {}

  private final Deque<Part> parts = new ArrayDeque<>();
  private final List<String> failed = new ArrayList<>();

  void add(String name, AutoCloseable stop) {
    parts.push(new Part(name, stop));
  }

  /** The names of the parts that failed to stop. */
  List<String> failed() {
    return List.copyOf(failed);
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      var part = parts.pop();
      try {
        part.stop().close();
        log.atInfo().addKeyValue("part", part.name()).log("stopped");
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        failed.add(part.name());
        log.atError().addKeyValue("part", part.name()).setCause(e).log("could not be stopped");
      }
    }
  }
}
