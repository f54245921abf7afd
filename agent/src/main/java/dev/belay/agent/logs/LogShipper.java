package dev.belay.agent.logs;

import com.google.protobuf.ByteString;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which piece of which log is sent next. Each dispatch has at most one chunk under way, so
 * an answer always belongs to the chunk before it and its length is where to go on, be it further
 * or back.
 */
public final class LogShipper {

  private static final Logger log = LoggerFactory.getLogger(LogShipper.class);

  private final Path folder;
  private final LogSettings settings;
  private final InstantSource clock;
  private final Runnable onWork;
  private final Room room;
  private final Map<DispatchId, Shipment> shipments = new LinkedHashMap<>();
  private final Set<Shipment> ready = new LinkedHashSet<>();
  private final List<CompletableFuture<Void>> justShipped = new ArrayList<>();
  private int inFlight;
  private long totalBytes;

  /**
   * @param onWork called when {@link #next} may have something; by any thread, so only wake
   *     somebody
   */
  public LogShipper(Path folder, LogSettings settings, InstantSource clock, Runnable onWork) {
    this(folder, settings, clock, onWork, Room.NONE);
  }

  /**
   * @param room asked when the disk is full, for the line that says so
   */
  public LogShipper(
      Path folder, LogSettings settings, InstantSource clock, Runnable onWork, Room room) {
    this.room = room;
    this.folder = folder;
    this.settings = settings;
    this.clock = clock;
    this.onWork = onWork;
  }

  /**
   * Takes over what earlier sessions left, oldest first. Logs of {@code unsettled} are kept longer.
   */
  public void recover(Set<DispatchId> unsettled) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
      found.forEach(files::add);
    }
    files.sort(Comparator.comparingLong((Path file) -> file.toFile().lastModified()));
    for (Path file : files) {
      Optional<Shipment> shipment = Shipment.of(folder, String.valueOf(file.getFileName()));
      long size = Files.size(file);
      if (shipment.isEmpty() || size == 0) {
        Files.deleteIfExists(file);
        continue;
      }
      shipment.get().settled = !unsettled.contains(shipment.get().dispatch);
      add(shipment.get());
      grown(shipment.get(), size);
      closed(shipment.get());
    }
    dropOldest();
    announceShipped();
  }

  /** The log of a dispatch that is about to start. */
  public LogSpool open(DispatchId dispatch, TaskId task) {
    Shipment shipment = new Shipment(folder, dispatch, task);
    add(shipment);
    dropOldest();
    announceShipped();
    return new LogSpool(
        shipment.file,
        settings,
        clock,
        new LogSpool.Listener() {
          @Override
          public void grown(long length) {
            LogShipper.this.grown(shipment, length);
          }

          @Override
          public void closed() {
            LogShipper.this.closed(shipment);
          }

          @Override
          public boolean makeRoom(IOException failure) {
            return room.make(failure);
          }

          @Override
          public boolean isScarce() {
            return room.isScarce();
          }
        });
  }

  /** The next chunk to send, if any may be sent now. Call again until empty. */
  public Optional<LogChunk> next() {
    Optional<LogChunk> chunk = takeNext();
    announceShipped();
    return chunk;
  }

  private synchronized Optional<LogChunk> takeNext() {
    Iterator<Shipment> waiting = ready.iterator();
    while (waiting.hasNext() && inFlight < settings.inFlightMax()) {
      Shipment shipment = waiting.next();
      waiting.remove();
      try {
        LogChunk chunk = chunk(shipment);
        shipment.sentEnd = chunk.getOffset() + chunk.getData().size();
        shipment.sentLast = chunk.getLast();
        shipment.underWay = true;
        inFlight++;
        return Optional.of(chunk);
      } catch (IOException e) {
        log.atError().setCause(e).addKeyValue("dispatch", shipment.dispatch).log("log unreadable");
        finish(shipment);
      }
    }
    return Optional.empty();
  }

  /** The server's answer to a chunk. */
  public void acknowledged(LogAck ack) {
    synchronized (this) {
      Shipment shipment = shipments.get(DispatchId.of(ack.getDispatchId()));
      if (shipment == null || !shipment.underWay) {
        return;
      }
      shipment.underWay = false;
      inFlight--;
      boolean stored = ack.getLength() >= shipment.sentEnd;
      shipment.fruitless = ack.getLength() > shipment.acked ? 0 : shipment.fruitless + 1;
      shipment.acked = Math.clamp(ack.getLength(), 0, shipment.length);
      if (ack.getFull() || (stored && shipment.sentLast)) {
        finish(shipment);
      } else if (shipment.fruitless > settings.resendMax()) {
        log.atWarn().addKeyValue("dispatch", shipment.dispatch).log("log given up: not stored");
        finish(shipment);
      } else {
        offer(shipment);
      }
    }
    announceShipped();
    onWork.run();
  }

  /** A new stream to the server: what was not acknowledged is sent again. */
  public void reconnected() {
    synchronized (this) {
      inFlight = 0;
      for (Shipment shipment : shipments.values()) {
        shipment.underWay = false;
        offer(shipment);
      }
    }
    announceShipped();
    onWork.run();
  }

  /** The outcome is settled, so the log may go when the server has it. */
  public synchronized void settled(DispatchId dispatch) {
    Shipment shipment = shipments.get(dispatch);
    if (shipment != null) {
      shipment.settled = true;
      forgetIfOver(shipment);
    }
  }

  /**
   * Completes when the server has the whole log, or after the time that an outcome waits for it.
   */
  public CompletableFuture<Void> shipped(DispatchId dispatch) {
    return shipped(dispatch, settings.shipWait());
  }

  synchronized CompletableFuture<Void> shipped(DispatchId dispatch, Duration atMost) {
    Shipment shipment = shipments.get(dispatch);
    return shipment == null
        ? CompletableFuture.completedFuture(null)
        : shipment.shipped.copy().completeOnTimeout(null, atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void add(Shipment shipment) {
    if (shipments.putIfAbsent(shipment.dispatch, shipment) != null) {
      throw new IllegalStateException("there is a log of this dispatch: " + shipment.dispatch);
    }
  }

  private void grown(Shipment shipment, long length) {
    synchronized (this) {
      totalBytes += length - shipment.length;
      shipment.length = length;
      offer(shipment);
    }
    announceShipped();
    onWork.run();
  }

  private void closed(Shipment shipment) {
    synchronized (this) {
      shipment.closed = true;
      if (shipment.length == 0 || shipment.over) {
        finish(shipment);
      } else {
        offer(shipment);
      }
    }
    announceShipped();
    onWork.run();
  }

  private void offer(Shipment shipment) {
    boolean something = shipment.acked < shipment.length || shipment.closed;
    if (something && !shipment.underWay && !shipment.over) {
      ready.add(shipment);
    }
  }

  private void finish(Shipment shipment) {
    shipment.over = true;
    ready.remove(shipment);
    justShipped.add(shipment.shipped);
    forgetIfOver(shipment);
  }

  private void forgetIfOver(Shipment shipment) {
    if (shipment.over && shipment.closed && (shipment.settled || shipment.length == 0)) {
      forget(shipment);
    }
  }

  private void forget(Shipment shipment) {
    if (!shipments.remove(shipment.dispatch, shipment)) {
      return;
    }
    ready.remove(shipment);
    inFlight -= shipment.underWay ? 1 : 0;
    totalBytes -= shipment.length;
    justShipped.add(shipment.shipped);
    try {
      Files.deleteIfExists(shipment.file);
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", shipment.dispatch).log("log file stays");
    }
  }

  /** Outside of the monitor, because whoever waits may call anything. */
  private void announceShipped() {
    List<CompletableFuture<Void>> done;
    synchronized (this) {
      done = List.copyOf(justShipped);
      justShipped.clear();
    }
    done.forEach(shipped -> shipped.complete(null));
  }

  private synchronized void dropOldest() {
    for (Shipment shipment : List.copyOf(shipments.values())) {
      if (totalBytes <= settings.totalMaxBytes()) {
        return;
      }
      if (shipment.closed) {
        log.atWarn().addKeyValue("dispatch", shipment.dispatch).log("log dropped: no space");
        forget(shipment);
      }
    }
  }

  private LogChunk chunk(Shipment shipment) throws IOException {
    int size = (int) Math.min(settings.chunkMaxBytes(), shipment.length - shipment.acked);
    ByteBuffer data = ByteBuffer.allocate(size);
    try (FileChannel in = FileChannel.open(shipment.file, StandardOpenOption.READ)) {
      while (data.hasRemaining()) {
        if (in.read(data, shipment.acked + data.position()) < 0) {
          throw new IOException("the log file is shorter than it was");
        }
      }
    }
    return LogChunk.newBuilder()
        .setDispatchId(shipment.dispatch.toString())
        .setTaskId(shipment.task.toString())
        .setOffset(shipment.acked)
        .setData(ByteString.copyFrom(data.flip()))
        .setLast(shipment.closed && shipment.acked + size == shipment.length)
        .build();
  }
}
