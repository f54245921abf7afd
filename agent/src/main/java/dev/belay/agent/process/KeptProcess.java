package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A helper process outside the agent: a script that reads its standard input and ends with it. When
 * it dies, the agent starts another at once.
 */
abstract class KeptProcess implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(KeptProcess.class);

  private final Script script;
  private final String argument;
  private final Executor background;
  private @Nullable Process process;
  private boolean closed;

  KeptProcess(Script script, String argument, Executor background) {
    this.script = script;
    this.argument = argument;
    this.background = background;
  }

  /** The first input of a fresh process; may be empty. */
  abstract String firstWords();

  synchronized void start() throws IOException {
    if (closed) {
      throw new IOException("the agent's " + script.name() + " is closed");
    }
    if (process == null || !process.isAlive()) {
      Process fresh = script.start(argument);
      process = fresh;
      send(fresh, firstWords());
      var _ = fresh.onExit().thenAcceptAsync(this::replace, background);
    }
  }

  /** Starts a process if none is listening; its first input then includes these words. */
  final synchronized void tell(String words) throws IOException {
    Process current = process;
    if (!closed && current != null && current.isAlive()) {
      try {
        send(current, words);
        return;
      } catch (IOException broken) {
        log.atWarn()
            .setCause(broken)
            .addKeyValue("name", script.name())
            .log("process does not listen");
        current.destroyForcibly();
        process = null;
      }
    }
    start();
  }

  /** The pid of the current process; 0 before the first start. */
  final synchronized long pid() {
    return process == null ? 0 : process.pid();
  }

  final synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (process != null) {
      process.getOutputStream().close();
    }
  }

  private synchronized void replace(Process dead) {
    if (closed || !dead.equals(process)) {
      return;
    }
    log.atWarn()
        .addKeyValue("pid", dead.pid())
        .addKeyValue("name", script.name())
        .addKeyValue("code", dead.exitValue())
        .log("process died; starting another");
    try {
      start();
    } catch (IOException e) {
      // The next registration or lease tries again; nothing starts without the process it needs.
      log.atError()
          .setCause(e)
          .addKeyValue("name", script.name())
          .log("no such process: tasks would outlive a killed or frozen agent");
    }
  }

  private static void send(Process to, String words) throws IOException {
    to.getOutputStream().write(words.getBytes(US_ASCII));
    to.getOutputStream().flush();
  }
}
