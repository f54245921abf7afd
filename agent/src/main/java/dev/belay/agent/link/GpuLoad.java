package dev.belay.agent.link;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the command that knows how busy the GPUs are: no shell, one run at a time, in the
 * background, so a command that hangs delays nothing. A failure makes the load unknown, and is
 * logged once until the command works again.
 */
final class GpuLoad implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(GpuLoad.class);

  private static final int OUTPUT_MAX_BYTES = 4_096;
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int PERCENT_MAX = 100;
  private static final ProcessBuilder.Redirect NOTHING =
      ProcessBuilder.Redirect.from(new File("/dev/null"));

  private final GpuSettings settings;
  private final Threads threads;
  private final LongSupplier ticker;
  private final Consumer<OptionalDouble> found;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile @Nullable Process running;
  private volatile boolean closed;

  /** Only the look uses it, and there is one at a time. */
  private boolean failed;

  /**
   * @param ticker monotonic nanoseconds
   * @param found receives the percentage, or nothing when it is not known; on any thread
   */
  GpuLoad(
      GpuSettings settings, Threads threads, LongSupplier ticker, Consumer<OptionalDouble> found) {
    this.settings = settings;
    this.threads = threads;
    this.ticker = ticker;
    this.found = found;
  }

  void start() {
    if (!settings.command().isEmpty()) {
      var _ =
          threads
              .timers()
              .scheduleWithFixedDelay(
                  this::begin, 0, settings.interval().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void begin() {
    if (closed || !looking.compareAndSet(false, true)) {
      return;
    }
    try {
      threads.background().execute(this::look);
    } catch (RuntimeException | OutOfMemoryError e) {
      // An exception would end the looks.
      looking.set(false);
      log.atWarn().addKeyValue("cause", e).log("cannot look at the GPUs");
    }
  }

  private void look() {
    try {
      found.accept(OptionalDouble.of(percent(run())));
      failed = false;
    } catch (IOException | RuntimeException e) {
      found.accept(OptionalDouble.empty());
      if (!failed && !closed) {
        log.atWarn()
            .addKeyValue("command", settings.command())
            .addKeyValue("cause", e.getMessage())
            .log("the load of the GPUs is not known");
      }
      failed = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      looking.set(false);
    }
  }

  private String run() throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(settings.command())
            .redirectInput(NOTHING)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    running = process;
    try {
      return output(process);
    } finally {
      running = null;
      kill(process);
    }
  }

  /**
   * Never blocks in a read: a child of the command may keep the pipe open for ever. It reads what
   * is there.
   */
  private String output(Process process) throws IOException, InterruptedException {
    long begun = ticker.getAsLong();
    var bytes = new ByteArrayOutputStream();
    var in = process.getInputStream();
    boolean ended = false;
    while (!ended) {
      if (closed) {
        throw new IOException("the agent stops");
      }
      if (ticker.getAsLong() - begun > settings.timeout().toNanos()) {
        throw new IOException("it took longer than " + settings.timeout().toMillis() + " ms");
      }
      ended = process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
      int more = Math.min(in.available(), OUTPUT_MAX_BYTES + 1 - bytes.size());
      bytes.write(in.readNBytes(more));
      if (bytes.size() > OUTPUT_MAX_BYTES) {
        throw new IOException("it printed more than " + OUTPUT_MAX_BYTES + " bytes");
      }
    }
    if (process.exitValue() != 0) {
      throw new IOException("its exit code was " + process.exitValue());
    }
    return bytes.toString(US_ASCII);
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** One number for each GPU, each on its line; the load is their mean. */
  static double percent(String output) throws IOException {
    List<String> lines = output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    double sum = 0;
    for (String line : lines) {
      var number = line.endsWith("%") ? line.substring(0, line.length() - 1).strip() : line;
      if (!number.matches("[0-9]{1,3}(\\.[0-9]{1,9})?")
          || Double.parseDouble(number) > PERCENT_MAX) {
        throw new IOException("a line is not a percentage from 0 to 100");
      }
      sum += Double.parseDouble(number);
    }
    if (lines.isEmpty()) {
      throw new IOException("it printed nothing");
    }
    return sum / lines.size();
  }

  /** Ends a run of the command. */
  @Override
  public void close() {
    closed = true;
    var process = running;
    if (process != null) {
      kill(process);
    }
  }
}
