package dev.belay.agent.handler;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Latched;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One dispatch as a call of the handler: waiting at its latch, running, ended. */
final class HandlerTask implements Latched {

  private static final Logger log = LoggerFactory.getLogger(HandlerTask.class);
  private static final int DETAIL_MAX = 4_096;

  private final Dispatch work;
  private final DispatchId dispatch;
  private final Handler handler;
  private final HandlerExecutor.ProcessContext surroundings;
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();

  private @Nullable Instant startedAt;
  private @Nullable Thread thread;
  private @Nullable Future<?> timeout;
  private Outcome.@Nullable Reported stopReason;

  HandlerTask(Dispatch work, Handler handler, HandlerExecutor.ProcessContext surroundings) {
    this.work = work;
    this.dispatch = DispatchId.of(work.getDispatchId());
    this.handler = handler;
    this.surroundings = surroundings;
  }

  @Override
  public DispatchId dispatch() {
    return dispatch;
  }

  @Override
  public long pid() {
    return surroundings.pid();
  }

  @Override
  public synchronized void open(Instant at) {
    if (startedAt != null) {
      throw new IllegalStateException("opened twice: " + dispatch);
    }
    if (stopReason != null) {
      return;
    }
    startedAt = at;
    thread = surroundings.threads().newThread(this::run);
    long limitMs = work.getExecutionTimeoutMs();
    if (limitMs > 0) {
      var reason = new Outcome.TimedOut(Duration.ofMillis(limitMs));
      timeout = surroundings.timers().schedule(() -> stop(reason), limitMs, TimeUnit.MILLISECONDS);
    }
    thread.start();
  }

  private void run() {
    Outcome.Reported outcome;
    String detail = "";
    try {
      outcome = new Outcome.Exited(handler.run(work), 0);
    } catch (Exception | Error failed) {
      // Any failure ends this dispatch only.
      log.atDebug().addKeyValue("dispatch", dispatch).setCause(failed).log("handler failed");
      String text = failed.toString();
      detail = text.length() <= DETAIL_MAX ? text : text.substring(0, DETAIL_MAX);
      outcome = new Outcome.Exited(1, 0);
    }
    end(outcome, detail);
  }

  /** Interrupts the handler. Java cannot force it to end, so the grace has no meaning here. */
  @Override
  public void terminate(String reason, Duration grace) {
    stop(new Outcome.Aborted(reason));
  }

  private void stop(Outcome.Reported reason) {
    synchronized (this) {
      if (stopReason != null || ended.isDone()) {
        return;
      }
      stopReason = reason;
      if (thread != null) {
        thread.interrupt();
        return;
      }
    }
    end(reason, "");
  }

  /** A handler that succeeds before it notices its stop has succeeded. */
  private void end(Outcome.Reported outcome, String detail) {
    Ended end;
    synchronized (this) {
      boolean succeeded = outcome.isSuccess();
      end =
          new Ended(
              dispatch,
              TaskId.of(work.getTaskId()),
              Optional.ofNullable(startedAt),
              surroundings.clock().instant(),
              stopReason == null || succeeded ? outcome : stopReason,
              detail,
              0);
      if (timeout != null) {
        timeout.cancel(false);
      }
    }
    ended.complete(end);
  }

  @Override
  public CompletionStage<Ended> ended() {
    return ended;
  }
}
