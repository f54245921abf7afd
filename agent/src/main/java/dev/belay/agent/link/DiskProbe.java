package dev.belay.agent.link;

import dev.belay.agent.state.Reserve;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the disk periodically. It runs in the background because a check may write, and one check
 * at a time because the disk may be slow.
 */
final class DiskProbe {

  private static final Logger log = LoggerFactory.getLogger(DiskProbe.class);

  private final Reserve reserve;
  private final Threads threads;
  private final Consumer<String> found;
  private final AtomicBoolean looking = new AtomicBoolean();

  /**
   * @param found receives the trouble, or an empty text when the disk is fine; on any thread
   */
  DiskProbe(Reserve reserve, Threads threads, Consumer<String> found) {
    this.reserve = reserve;
    this.threads = threads;
    this.found = found;
  }

  void start(Duration interval) {
    var _ =
        threads
            .timers()
            .scheduleWithFixedDelay(this::probe, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void probe() {
    if (!looking.compareAndSet(false, true)) {
      return;
    }
    try {
      threads.background().execute(this::look);
    } catch (RuntimeException | OutOfMemoryError e) {
      // An exception would end the probes.
      looking.set(false);
      log.atWarn().addKeyValue("cause", e).log("cannot look at the disk");
    }
  }

  private void look() {
    try {
      found.accept(reserve.look().orElse(""));
    } finally {
      looking.set(false);
    }
  }
}
