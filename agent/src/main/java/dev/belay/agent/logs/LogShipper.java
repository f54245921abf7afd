package dev.belay.agent.logs;

import com.google.protobuf.ByteString;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
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
 * Decides which piece of which log to send next. Each dispatch has at most one chunk in flight, so
 * an answer always belongs to the last chunk. The length in the answer is the next offset, whether
 * further on or back.
 */
public final class LogShipper {

  private static final Logger log = LoggerFactory.getLogger(LogShipper.class);
  private static final String DISK_FULL = "disk_full";
  private static final String NOT_STORED = "the server did not store it";
  private static final Duration UNREADABLE_PAUSE = Duration.ofSeconds(1);

  private final Path folder;
  private final LogSettings settings;
  private final InstantSource clock;
  private final Runnable onWork;
  private final Room room;
  private final Map<DispatchId, Shipment> shipments = new LinkedHashMap<>();
  private final LinkedHashSet<Shipment> ready = new LinkedHashSet<>();

  /** Their files were unreadable, perhaps for lack of descriptors; retried later. */
  private final Set<Shipment> unreadable = new LinkedHashSet<>();

  private final List<CompletableFuture<Void>> justShipped = new ArrayList<>();
  private int inFlight;
  private long totalBytes;

  /** The largest log that the server keeps. */
  private long serverMaxBytes = Long.MAX_VALUE;

  /** The server cannot store logs now: all logs wait, and no outcome waits for its log. */
  private boolean paused;

  /** After a pause, one chunk goes ahead of the others. */
  private boolean probing;

  /**
   * @param onWork called on any thread when {@link #next} may have a chunk; it should only wake a
   *     thread
   * @param room makes room on a full disk, for the mark that reports the loss
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
   * Takes over the logs of earlier sessions, oldest first. Logs of {@code unsettled} stay longer.
   */
  public void recover(Set<DispatchId> unsettled) throws IOException {
    for (SpoolFiles files : SpoolFiles.left(folder)) {
      try {
        recover(files, !unsettled.contains(files.dispatch()));
      } catch (IOException e) {
        SpoolFiles.stays(files.head(), e);
      }
    }
    dropOldest();
    announceShipped();
  }

  private void recover(SpoolFiles files, boolean settled) throws IOException {
    Shipment shipment = new Shipment(files);
    shipment.settled = settled;
    Optional<SpoolFiles.Lost> lost = files.lost();
    List<SpoolFiles.Segment> end = files.segments();
    long headLength = files.headLength();
    if (lost.isEmpty() && headLength == 0 && end.isEmpty()) {
      files.deleteAll();
      return;
    }
    add(shipment);
    if (lost.isPresent()) {
      // An agent that died while it dropped the log may have left part of it.
      files.deleteData();
      synchronized (this) {
        shipment.lose(lost.get());
        offer(shipment);
      }
      return;
    }
    long endBytes = end.stream().mapToLong(SpoolFiles.Segment::length).sum();
    grown(shipment, headLength, headLength + endBytes, 0);
    closed(shipment, end, 0);
  }

  /** The log of a dispatch that is about to start. */
  public LogSpool open(DispatchId dispatch, TaskId task) {
    Shipment shipment = new Shipment(new SpoolFiles(folder, dispatch, task));
    add(shipment);
    dropOldest();
    announceShipped();
    return new LogSpool(
        shipment.files,
        settings,
        maxBytes(),
        clock,
        new LogSpool.Listener() {
          @Override
          public void grown(long headLength, long diskBytes, long unwritten) {
            LogShipper.this.grown(shipment, headLength, diskBytes, unwritten);
          }

          @Override
          public void closed(List<SpoolFiles.Segment> end, long unmarked) {
            LogShipper.this.closed(shipment, end, unmarked);
          }

          @Override
          public boolean isScarce() {
            return room.isScarce();
          }
        });
  }

  private synchronized long maxBytes() {
    return Math.min(settings.dispatchMaxBytes(), serverMaxBytes);
  }

  /** The next chunk to send, if any may be sent now. Call again until empty. */
  public Optional<LogChunk> next() {
    Optional<LogChunk> chunk = takeNext();
    announceShipped();
    return chunk;
  }

  private synchronized Optional<LogChunk> takeNext() {
    int inFlightMax = paused ? 0 : probing ? 1 : settings.inFlightMax();
    while (!ready.isEmpty() && inFlight < inFlightMax) {
      Shipment shipment = ready.removeFirst();
      try {
        LogChunk chunk = chunk(shipment);
        shipment.unread = 0;
        shipment.sentEnd = chunk.getOffset() + chunk.getData().size();
        shipment.sentLast = chunk.getLast();
        shipment.underWay = true;
        inFlight++;
        return Optional.of(chunk);
      } catch (IOException e) {
        unread(shipment, e);
      }
    }
    return Optional.empty();
  }

  private void unread(Shipment shipment, IOException cause) {
    shipment.unread++;
    if (shipment.unread == 1) {
      log.atError()
          .addKeyValue("dispatch", shipment.dispatch)
          .addKeyValue("cause", cause)
          .log("log unreadable; it is tried again");
    }
    if (shipment.closed && shipment.unread > settings.resendMax()) {
      giveUp(shipment, "the agent could not read it");
    } else {
      unreadable.add(shipment);
    }
  }

  /** How long to wait before {@link #retryUnreadable}; empty when every log is readable. */
  public synchronized Optional<Duration> unreadablePause() {
    return unreadable.stream()
        .map(shipment -> shipment.unread)
        .max(Comparator.naturalOrder())
        .map(tries -> UNREADABLE_PAUSE.multipliedBy(1L << Math.min(tries - 1, 30)))
        .map(pause -> pause.compareTo(settings.pauseMax()) < 0 ? pause : settings.pauseMax());
  }

  /** Tries again to read the unreadable logs. */
  public void retryUnreadable() {
    synchronized (this) {
      List<Shipment> again = List.copyOf(unreadable);
      unreadable.clear();
      again.forEach(this::offer);
    }
    onWork.run();
  }

  /**
   * Handles the server's answer to a chunk, or to the stream's hello.
   *
   * @return how long to wait before {@link #resume}, when the server cannot store logs now
   */
  public Optional<Duration> acknowledged(LogAck ack) {
    Optional<Duration> pause = Optional.empty();
    synchronized (this) {
      if (ack.getDispatchId().isEmpty()) {
        serverMaxBytes = ack.getMaxBytes() > 0 ? ack.getMaxBytes() : Long.MAX_VALUE;
        return pause;
      }
      Shipment shipment = shipments.get(DispatchId.of(ack.getDispatchId()));
      if (shipment == null || !shipment.underWay) {
        return pause;
      }
      shipment.underWay = false;
      inFlight--;
      shipment.refused = ack.getRefused();
      if (ack.getRetryAfterMs() > 0) {
        shipment.acked = Math.clamp(ack.getLength(), 0, shipment.length);
        shipment.moveMark(ack.getLength());
        pause();
        offer(shipment);
        long millis = Math.min(ack.getRetryAfterMs(), settings.pauseMax().toMillis());
        pause = Optional.of(Duration.ofMillis(millis));
      } else {
        probing = false;
        answered(shipment, ack);
      }
    }
    announceShipped();
    onWork.run();
    return pause;
  }

  private void answered(Shipment shipment, LogAck ack) {
    boolean stored = ack.getLength() >= shipment.sentEnd;
    shipment.fruitless = ack.getLength() > shipment.acked ? 0 : shipment.fruitless + 1;
    shipment.acked = Math.clamp(ack.getLength(), 0, shipment.length);
    shipment.moveMark(ack.getLength());
    if (ack.getFull() || (stored && shipment.sentLast)) {
      if (!ack.getRefused().isEmpty()) {
        log.atWarn()
            .addKeyValue("dispatch", shipment.dispatch)
            .addKeyValue("reason", ack.getRefused())
            .log("the server will not take this log");
      }
      finish(shipment);
    } else if (shipment.fruitless > settings.resendMax()) {
      notStored(shipment);
    } else {
      offer(shipment);
    }
  }

  /** Gives the log up for a mark, at its end if it still grows. The mark is the last attempt. */
  private void notStored(Shipment shipment) {
    if (shipment.isLost()) {
      finish(shipment);
      return;
    }
    log.atWarn().addKeyValue("dispatch", shipment.dispatch).log("log given up: not stored");
    shipment.fruitless = 0;
    shipment.notStored = true;
    justShipped.add(shipment.shipped);
    if (shipment.closed) {
      giveUp(shipment, NOT_STORED);
    }
  }

  private void pause() {
    if (!paused && !probing) {
      log.atWarn().log("the server cannot store logs now; they are kept here and sent later");
    }
    paused = true;
    shipments.values().forEach(shipment -> justShipped.add(shipment.shipped));
  }

  /** Tries again after a pause. */
  public void resume() {
    synchronized (this) {
      probing |= paused;
      paused = false;
    }
    onWork.run();
  }

  /** Starts on a new stream to the server: unacknowledged chunks go out again. */
  public void reconnected() {
    synchronized (this) {
      inFlight = 0;
      probing |= paused;
      paused = false;
      for (Shipment shipment : shipments.values()) {
        shipment.underWay = false;
        offer(shipment);
      }
    }
    announceShipped();
    onWork.run();
  }

  /** The outcome is settled, so the files may go once the server has the log. */
  public synchronized void settled(DispatchId dispatch) {
    Shipment shipment = shipments.get(dispatch);
    if (shipment != null) {
      shipment.settled = true;
      forgetIfOver(shipment);
    }
  }

  /** Completes when the server has the whole log, or when the outcome has waited long enough. */
  public CompletableFuture<Void> shipped(DispatchId dispatch) {
    return shipped(dispatch, settings.shipWait());
  }

  synchronized CompletableFuture<Void> shipped(DispatchId dispatch, Duration atMost) {
    Shipment shipment = shipments.get(dispatch);
    return shipment == null || paused
        ? CompletableFuture.completedFuture(null)
        : shipment.shipped.copy().completeOnTimeout(null, atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void add(Shipment shipment) {
    if (shipments.putIfAbsent(shipment.dispatch, shipment) != null) {
      throw new IllegalStateException("there is a log of this dispatch: " + shipment.dispatch);
    }
  }

  private void grown(Shipment shipment, long headLength, long diskBytes, long unwritten) {
    synchronized (this) {
      totalBytes += diskBytes - shipment.diskBytes;
      shipment.diskBytes = diskBytes;
      shipment.unwritten = unwritten;
      shipment.headGrew(headLength);
      offer(shipment);
    }
    announceShipped();
    onWork.run();
  }

  private void closed(Shipment shipment, List<SpoolFiles.Segment> end, long unmarked) {
    synchronized (this) {
      shipment.close(end, unmarked);
      if (shipment.length == 0 || shipment.over) {
        finish(shipment);
      } else if (shipment.notStored) {
        giveUp(shipment, NOT_STORED);
      } else {
        offer(shipment);
      }
    }
    announceShipped();
    onWork.run();
  }

  private void offer(Shipment shipment) {
    boolean something = shipment.acked < shipment.length || shipment.closed;
    boolean waits = unreadable.contains(shipment) || (shipment.notStored && !shipment.closed);
    if (something && !waits && !shipment.underWay && !shipment.over) {
      ready.add(shipment);
    }
  }

  private void finish(Shipment shipment) {
    shipment.over = true;
    ready.remove(shipment);
    unreadable.remove(shipment);
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
    unreadable.remove(shipment);
    inFlight -= shipment.underWay ? 1 : 0;
    totalBytes -= shipment.diskBytes;
    justShipped.add(shipment.shipped);
    shipment.files.deleteAll();
  }

  /** Completes them outside the monitor, because their dependent actions may call anything. */
  private void announceShipped() {
    List<CompletableFuture<Void>> done;
    synchronized (this) {
      done = List.copyOf(justShipped);
      justShipped.clear();
    }
    done.forEach(shipped -> shipped.complete(null));
  }

  /** Makes room by dropping the oldest logs. A mark replaces what the server lacks. */
  private synchronized void dropOldest() {
    long lost = shipments.values().stream().filter(Shipment::isLost).count();
    for (Shipment shipment : List.copyOf(shipments.values())) {
      boolean crowded = totalBytes > settings.totalMaxBytes();
      if (!crowded && lost <= settings.lostMax()) {
        return;
      }
      if (shipment.isLost() && lost > settings.lostMax()) {
        forget(shipment);
        lost--;
      } else if (crowded && shipment.closed && shipment.over) {
        forget(shipment);
      } else if (crowded && shipment.closed && !shipment.isLost() && !shipment.underWay) {
        giveUp(shipment, noSpace(shipment));
        lost++;
      }
    }
  }

  private static String noSpace(Shipment shipment) {
    return shipment.refused.isEmpty()
        ? "the agent's space for logs was full"
        : shipment.refused.equals(DISK_FULL)
            ? "the server's log disk was full"
            : "the server could not store it (" + shipment.refused + ")";
  }

  private void giveUp(Shipment shipment, String why) {
    log.atWarn()
        .addKeyValue("dispatch", shipment.dispatch)
        .addKeyValue("reason", why)
        .log("log dropped");
    totalBytes -= shipment.diskBytes;
    unreadable.remove(shipment);
    shipment.files.write(shipment.lose(why));
    shipment.files.deleteData();
    justShipped.add(shipment.shipped);
    offer(shipment);
  }

  private LogChunk chunk(Shipment shipment) throws IOException {
    int size = (int) Math.min(settings.chunkMaxBytes(), shipment.length - shipment.acked);
    boolean last = shipment.closed && shipment.acked + size == shipment.length;
    return LogChunk.newBuilder()
        .setDispatchId(shipment.dispatch.toString())
        .setTaskId(shipment.files.task().toString())
        .setOffset(shipment.acked)
        .setData(ByteString.copyFrom(shipment.read(size)))
        .setLast(last)
        .setKnownLength(shipment.length)
        .setLeftOut(last ? shipment.leftOut : 0)
        .build();
  }
}
