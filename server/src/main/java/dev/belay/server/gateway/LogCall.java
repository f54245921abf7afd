package dev.belay.server.gateway;

import com.linecorp.armeria.common.RequestHeaders;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import dev.belay.server.logs.LogAccess;
import dev.belay.server.logs.LogRefusal;
import dev.belay.server.logs.LogStore;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log stream of a worker. It handles one piece at a time: it requests the next piece after it
 * answered the last, and the last answer precedes the end of the stream.
 */
final class LogCall implements StreamObserver<LogChunk> {

  private static final Logger log = LoggerFactory.getLogger(LogCall.class);

  /** Agents send 64 KiB. */
  private static final int PIECE_MAX_BYTES = 1 << 20;

  /** The rate charges a small message this much: it costs a database query or a write. */
  private static final int MESSAGE_COST = 1 << 10;

  private static final int REFUSED_COST = 64 << 10;

  private final LogGateway gateway;
  private final RequestHeaders headers;
  private final ServerCallStreamObserver<LogAck> call;
  private final Replies<LogAck> replies;
  private volatile @Nullable WorkerId worker;
  private boolean busy;
  private boolean halfClosed;
  private boolean over;

  LogCall(
      LogGateway gateway,
      RequestHeaders headers,
      ServerCallStreamObserver<LogAck> call,
      Executor loop) {
    this.gateway = gateway;
    this.headers = headers;
    this.call = call;
    this.replies = new Replies<>(call, loop);
  }

  LogCall open() {
    call.disableAutoRequest();
    call.setOnCancelHandler(this::ended);
    run(this::admit);
    return this;
  }

  @Override
  public void onNext(LogChunk chunk) {
    synchronized (this) {
      busy = true;
    }
    run(() -> handle(chunk));
  }

  private void run(Runnable work) {
    try {
      gateway.executor().execute(work);
    } catch (RejectedExecutionException stopping) {
      fail(Status.UNAVAILABLE, "the server stops");
    }
  }

  @Override
  public void onError(Throwable failure) {
    log.atDebug().setCause(failure).log("log stream ended");
    ended();
  }

  @Override
  public synchronized void onCompleted() {
    halfClosed = true;
    completeIfDone();
  }

  private void handle(LogChunk chunk) {
    Duration pause = Duration.ZERO;
    try {
      pause = caller().map(writer -> store(writer, chunk)).orElse(Duration.ZERO);
    } catch (RuntimeException bug) {
      log.atError().setCause(bug).log("a piece of a log was not handled");
      fail(Status.INTERNAL, "the log could not be stored");
    }
    synchronized (this) {
      busy = false;
      completeIfDone();
    }
    if (pause.isZero()) {
      more();
    } else {
      CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, gateway.executor())
          .execute(this::more);
    }
  }

  private synchronized void more() {
    if (!over && !halfClosed) {
      call.request(1);
    }
  }

  private void completeIfDone() {
    if (halfClosed && !busy && !over) {
      over = true;
      replies.complete();
      leave();
    }
  }

  /** The caller, checked again for each piece; empty when unknown, and then the stream ends. */
  private Optional<WorkerId> caller() {
    Optional<WorkerId> caller;
    try {
      caller = gateway.keys().caller(headers).map(WorkerKeys.Caller::worker);
    } catch (RuntimeException away) {
      log.atDebug().setCause(away).log("a writer of logs cannot be checked");
      gateway.metrics().logRefused(LogRefusal.DATABASE_AWAY);
      fail(Status.UNAVAILABLE, "the database does not answer");
      return Optional.empty();
    }
    if (caller.isEmpty()) {
      gateway.metrics().logRefused(LogRefusal.NOT_ADMITTED);
      fail(
          Status.UNAUTHENTICATED,
          "logs are taken from workers that have joined: the headers must give the worker's id,"
              + " session and key");
    }
    return caller;
  }

  private void admit() {
    caller()
        .ifPresent(
            caller -> {
              LogCall older;
              synchronized (this) {
                if (over) { // it ended during the database query
                  return;
                }
                worker = caller;
                older = gateway.streams().put(caller, this);
              }
              if (older != null) {
                older.fail(Status.ABORTED, "this worker opened another log stream");
              }
              send(LogAck.newBuilder().setMaxBytes(gateway.bounds().maxBytes()).build());
              more();
            });
  }

  private Duration store(WorkerId writer, LogChunk chunk) {
    DispatchId dispatch;
    TaskId task;
    try {
      dispatch = DispatchId.of(chunk.getDispatchId());
      task = TaskId.of(chunk.getTaskId());
    } catch (IllegalArgumentException malformed) {
      return refuseStream("dispatch_id or task_id is not a UUID");
    }
    if (chunk.getData().size() > PIECE_MAX_BYTES) {
      return refuseStream("data is longer than " + PIECE_MAX_BYTES + " bytes");
    }
    var appended =
        switch (gateway.access().ask(writer, task, dispatch)) {
          case LogAccess.Denied(LogRefusal refusal) -> LogStore.Appended.refused(0, refusal);
          case LogAccess.Granted(long allowed) ->
              gateway.store().append(dispatch, piece(chunk), allowed);
        };
    count(chunk, appended);
    send(answer(chunk, appended));
    if (appended.stored() > 0 || appended.full()) {
      gateway.changed().run();
    }
    long cost =
        appended.refusal().isPresent()
            ? REFUSED_COST
            : Math.max(MESSAGE_COST, chunk.getData().size());
    return gateway.rates().charge(writer, cost);
  }

  private Duration refuseStream(String why) {
    gateway.metrics().logRefused(LogRefusal.MALFORMED);
    fail(Status.INVALID_ARGUMENT, why);
    return Duration.ZERO;
  }

  private static LogStore.Piece piece(LogChunk chunk) {
    return new LogStore.Piece(
        chunk.getOffset(),
        chunk.getData().asReadOnlyByteBuffer(),
        chunk.getLast(),
        chunk.getKnownLength(),
        chunk.getLeftOut());
  }

  private void count(LogChunk chunk, LogStore.Appended appended) {
    appended.refusal().ifPresent(gateway.metrics()::logRefused);
    gateway.metrics().logStored(appended.stored());
    if (chunk.getLast() && appended.full() && appended.refusal().isEmpty()) {
      gateway.metrics().logLeftOut(Math.max(0, chunk.getLeftOut()));
    }
  }

  private LogAck answer(LogChunk chunk, LogStore.Appended appended) {
    var ack =
        LogAck.newBuilder()
            .setDispatchId(chunk.getDispatchId())
            .setLength(appended.length())
            .setFull(appended.full());
    appended
        .refusal()
        .ifPresent(
            refusal -> {
              ack.setRefused(refusal.word());
              if (refusal.passes()) {
                ack.setRetryAfterMs(gateway.bounds().retry().toMillis());
              }
            });
    return ack.build();
  }

  private synchronized void send(LogAck ack) {
    if (!over) {
      replies.send(ack);
    }
  }

  private synchronized void fail(Status status, String why) {
    if (!over) {
      over = true;
      replies.fail(status.withDescription(why));
      leave();
    }
  }

  private synchronized void ended() {
    over = true;
    leave();
  }

  private void leave() {
    var writer = worker;
    if (writer != null) {
      gateway.streams().remove(writer, this);
    }
  }
}
