package dev.belay.agent.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.belay.session.agent.StallDetector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the output of all tasks on one thread.
 *
 * <p>Java's own process pipes need a thread for each stream, and a blocked read cannot be given up
 * when an escaped grandchild keeps the other end open. So tasks write into our pipes, and this
 * thread polls them. Only this thread closes descriptors, so it never reads one whose number was
 * reused.
 */
final class OutputPump implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(OutputPump.class);

  private static final int READ_MAX_BYTES = 64 * 1024;
  private static final int POLLFD_BYTES = 8;
  private static final int LOOK_INTERVAL_MILLIS = (int) StallDetector.LOOK_MAX.toMillis() / 5;

  /** Receives the output of one pipe on the pump thread. */
  interface Receiver {
    void data(byte[] data, int length);

    void quiet();

    void end();
  }

  /** Judges whether a task is stalled, on the pump thread. */
  @FunctionalInterface
  interface Look {
    /** All that the task had written before this call has reached its receivers. */
    void look(long nowNanos);
  }

  /** One pipe being read. */
  static final class Source {
    private final int fd;
    private final Receiver receiver;
    private long lastData;
    private boolean quiet = true;
    private boolean ended;
    private volatile boolean stopWanted;

    private Source(int fd, Receiver receiver) {
      this.fd = fd;
      this.receiver = receiver;
    }
  }

  private final LongSupplier ticker;
  private final long quietNanos;
  private final Libc.Pipe wake;
  private final Queue<Source> added = new ConcurrentLinkedQueue<>();
  private final List<Source> sources = new ArrayList<>();
  private final Set<Look> looks = ConcurrentHashMap.newKeySet();
  private final byte[] data = new byte[READ_MAX_BYTES];
  private volatile boolean closed;
  private boolean wakePending;
  private boolean finished;

  OutputPump(Duration quietAfter, LongSupplier ticker) throws IOException {
    this.ticker = ticker;
    this.quietNanos = quietAfter.toNanos();
    this.wake = Libc.pipe();
  }

  /** Takes ownership of the reading end. */
  Source read(int fd, Receiver receiver) {
    Source source = new Source(fd, receiver);
    added.add(source);
    wakeUp();
    return source;
  }

  /** Ends the source after its current content, even if a process still holds the other end. */
  void stop(Source source) {
    source.stopWanted = true;
    wakeUp();
  }

  /** Lets it look several times within {@link StallDetector#LOOK_MAX}, until it is removed. */
  void watch(Look look) {
    looks.add(look);
    wakeUp();
  }

  void unwatch(Look look) {
    looks.remove(look);
  }

  @Override
  public void close() {
    closed = true;
    wakeUp();
  }

  /** Runs the loop of the pump thread until closed. */
  void run() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(READ_MAX_BYTES);
      Pollfds pollfds = new Pollfds();
      while (!closed) {
        takeAdded();
        boolean[] ready = pollfds.poll(wake.reader(), sources, timeoutMillis());
        if (ready[sources.size()]) {
          awake(buffer);
        }
        for (int i = 0; i < sources.size(); i++) {
          serve(sources.get(i), ready[i], buffer);
        }
        sources.removeIf(source -> source.ended);
        looks.forEach(look -> guarded(() -> look.look(ticker.getAsLong())));
      }
    } catch (IOException e) {
      log.atError().setCause(e).log("output pump failed; no more output is read");
    } finally {
      takeAdded();
      sources.forEach(this::end);
      finish();
    }
  }

  private void takeAdded() {
    for (Source fresh = added.poll(); fresh != null; fresh = added.poll()) {
      sources.add(fresh);
    }
  }

  private synchronized void awake(MemorySegment buffer) throws IOException {
    Libc.read(wake.reader(), buffer);
    wakePending = false;
  }

  private synchronized void finish() {
    finished = true;
    Libc.close(wake.reader());
    Libc.close(wake.writer());
  }

  private void serve(Source source, boolean ready, MemorySegment buffer) {
    // Checked before the read: output from before the stop is still read.
    boolean stop = source.stopWanted;
    if (ready) {
      // One read empties a pipe of the default size, so an escaped process cannot prolong this.
      readOnce(source, buffer);
    }
    if (stop && !source.ended) {
      end(source);
    } else if (!ready && !source.quiet && ticker.getAsLong() - source.lastData >= quietNanos) {
      source.quiet = true;
      guarded(source.receiver::quiet);
    }
  }

  private void readOnce(Source source, MemorySegment buffer) {
    int length;
    try {
      length = Libc.read(source.fd, buffer);
    } catch (IOException e) {
      log.atWarn().setCause(e).log("output of a task cannot be read");
      length = 0;
    }
    if (length == 0) {
      end(source);
    } else if (length > 0) {
      source.lastData = ticker.getAsLong();
      source.quiet = false;
      MemorySegment.copy(buffer, JAVA_BYTE, 0, data, 0, length);
      int received = length;
      guarded(() -> source.receiver.data(data, received));
    }
  }

  private void end(Source source) {
    source.ended = true;
    Libc.close(source.fd);
    guarded(source.receiver::end);
  }

  /** A failure of one task's log (a full disk) must not stop the others. */
  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("output of a task lost");
    }
  }

  private int timeoutMillis() {
    int untilLook = looks.isEmpty() ? -1 : LOOK_INTERVAL_MILLIS;
    for (Source source : sources) {
      if (!source.quiet) {
        int untilQuiet = (int) Math.max(1, quietNanos / 2_000_000);
        return looks.isEmpty() ? untilQuiet : Math.min(untilQuiet, untilLook);
      }
    }
    return untilLook;
  }

  private synchronized void wakeUp() {
    if (wakePending || finished) {
      return;
    }
    wakePending = true;
    try (Arena arena = Arena.ofConfined()) {
      Libc.write(wake.writer(), arena.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException("output pump cannot be woken", e);
    }
  }

  /** The array for poll(2); grows as needed. */
  private static final class Pollfds {
    private MemorySegment memory = MemorySegment.NULL;

    /** Which sources are ready; the last flag belongs to the wake pipe. */
    boolean[] poll(int wakeFd, List<Source> sources, int timeoutMillis) throws IOException {
      int count = sources.size() + 1;
      if (memory.byteSize() < (long) count * POLLFD_BYTES) {
        memory = Arena.ofAuto().allocate(2L * count * POLLFD_BYTES, POLLFD_BYTES);
      }
      for (int i = 0; i < count; i++) {
        memory.set(JAVA_INT, (long) i * POLLFD_BYTES, i == count - 1 ? wakeFd : sources.get(i).fd);
        memory.set(JAVA_INT, (long) i * POLLFD_BYTES + 4, Libc.POLLIN);
      }
      Libc.poll(memory, count, timeoutMillis);
      boolean[] ready = new boolean[count];
      for (int i = 0; i < count; i++) {
        ready[i] = memory.get(JAVA_SHORT, (long) i * POLLFD_BYTES + 6) != 0;
      }
      return ready;
    }
  }
}
