package dev.belay.benchmarks.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes and syncs one page on the disk of the database, again and again, and so knows when the
 * disk stalled. On a shared machine that says which delays come from the disk.
 */
public final class DiskProbe implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(20);
  private static final int PAGE_BYTES = 8192;

  /** Microseconds since the epoch. */
  private record Sync(long begun, long ended) {
    double millis() {
      return (ended - begun) / 1e3;
    }
  }

  private final Path file;
  private final List<Sync> syncs = new ArrayList<>();
  private final Thread thread;
  private volatile boolean over;

  private DiskProbe(Path file) {
    this.file = file;
    this.thread = Thread.ofPlatform().daemon().name("disk-probe").unstarted(this::probe);
  }

  /** Begins at once, in a file of this folder. */
  public static DiskProbe start(Path folder) {
    var probe = new DiskProbe(folder.resolve("disk-probe"));
    probe.thread.start();
    return probe;
  }

  private void probe() {
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (!over) {
        channel.write(ByteBuffer.allocate(PAGE_BYTES), 0);
        long begun = micros();
        channel.force(false);
        var sync = new Sync(begun, micros());
        synchronized (syncs) {
          syncs.add(sync);
        }
        LockSupport.parkNanos(EVERY.toNanos());
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Milliseconds of all syncs so far. */
  public List<Double> millis() {
    synchronized (syncs) {
      return syncs.stream().map(Sync::millis).toList();
    }
  }

  /** Whether a sync that took longer than this was under way between these two times. */
  public boolean stalled(long fromMicros, long toMicros, double longerThanMillis) {
    synchronized (syncs) {
      return syncs.stream()
          .anyMatch(
              sync ->
                  sync.millis() > longerThanMillis
                      && sync.begun() <= toMicros
                      && sync.ended() >= fromMicros);
    }
  }

  public static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  @Override
  public void close() throws IOException {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(file);
  }
}
