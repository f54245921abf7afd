package dev.belay.agent.link;

import dev.belay.agent.logs.LogSettings;
import dev.belay.agent.logs.LogShipper;
import dev.belay.agent.state.Room;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc.AgentGatewayStub;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries logs to the server while the session is connected. The shipper limits the chunks in
 * flight; this class only opens streams and reopens them.
 */
public final class LogStream {

  private static final Logger log = LoggerFactory.getLogger(LogStream.class);

  private final LogShipper shipper;
  private final LinkSettings settings;
  private final Threads threads;
  private final AtomicBoolean woken = new AtomicBoolean();

  private @Nullable AgentGatewayStub gateway;
  private @Nullable Call call;
  private boolean pausing;
  private boolean retrying;
  private boolean refused;

  /** Where logs stay until the server has them. */
  public record Spool(Path folder, LogSettings settings, InstantSource clock, Room room) {}

  public LogStream(Spool spool, LinkSettings settings, Threads threads) {
    this.shipper =
        new LogShipper(spool.folder(), spool.settings(), spool.clock(), this::wake, spool.room());
    this.settings = settings;
    this.threads = threads;
  }

  public LogShipper shipper() {
    return shipper;
  }

  void connected(AgentGatewayStub to) {
    post(
        () -> {
          gateway = to;
          open();
        });
  }

  void disconnected() {
    post(
        () -> {
          gateway = null;
          hangUp();
        });
  }

  private void wake() {
    if (woken.compareAndSet(false, true)) {
      post(
          () -> {
            woken.set(false);
            send();
          });
    }
  }

  private void open() {
    hangUp();
    if (gateway != null) {
      var fresh = new Call();
      var _ = gateway.shipLogs(fresh);
      call = fresh;
      shipper.reconnected();
    }
  }

  private void hangUp() {
    if (call != null) {
      call.requests().cancel("the agent opens another one", null);
      call = null;
    }
  }

  private void send() {
    while (call != null) {
      var chunk = shipper.next();
      if (chunk.isEmpty()) {
        shipper.unreadablePause().ifPresent(this::retryAfter);
        return;
      }
      call.requests().onNext(chunk.get());
    }
  }

  private void ended(Call which) {
    if (which == call) {
      call = null;
      reopenLater();
    }
  }

  /** Logs it once, until the server takes logs again. {@link Outage} reports a lost connection. */
  private void complain(Status status) {
    var code = status.getCode();
    if (code == Status.Code.PERMISSION_DENIED || code == Status.Code.UNAUTHENTICATED) {
      var event = refused ? log.atDebug() : log.atWarn();
      refused = true;
      event
          .addKeyValue("reason", status.getDescription())
          .log("the server takes no logs from this worker; trying again");
    }
  }

  private void resumeAfter(Duration pause) {
    if (pausing) {
      return;
    }
    pausing = true;
    Runnable resume =
        () -> {
          pausing = false;
          shipper.resume();
        };
    var _ = threads.timers().schedule(() -> post(resume), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void retryAfter(Duration pause) {
    if (retrying) {
      return;
    }
    retrying = true;
    Runnable retry =
        () -> {
          retrying = false;
          shipper.retryUnreadable();
        };
    var _ = threads.timers().schedule(() -> post(retry), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void reopenLater() {
    var expected = gateway;
    Runnable reopen =
        () -> {
          if (gateway == expected && call == null) {
            open();
          }
        };
    var _ =
        threads
            .timers()
            .schedule(() -> post(reopen), settings.logRetry().toMillis(), TimeUnit.MILLISECONDS);
  }

  private void post(Runnable event) {
    try {
      threads.logs().execute(() -> run(event));
    } catch (RejectedExecutionException closed) {
      log.atDebug().log("log event after the end");
    }
  }

  /** Logs must not end the agent: after any failure here another stream tries again. */
  private void run(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("log stream failed");
      hangUp();
      reopenLater();
    }
  }

  private final class Call implements ClientResponseObserver<LogChunk, LogAck> {
    private @Nullable ClientCallStreamObserver<LogChunk> requests;

    private ClientCallStreamObserver<LogChunk> requests() {
      return Objects.requireNonNull(requests, "not open");
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<LogChunk> requests) {
      this.requests = requests;
    }

    @Override
    public void onNext(LogAck ack) {
      post(
          () -> {
            if (call == this) {
              refused = false;
              shipper.acknowledged(ack).ifPresent(LogStream.this::resumeAfter);
            }
          });
    }

    @Override
    public void onError(Throwable error) {
      log.atDebug().setCause(error).log("log stream lost");
      post(
          () -> {
            complain(Status.fromThrowable(error));
            ended(this);
          });
    }

    @Override
    public void onCompleted() {
      post(() -> ended(this));
    }
  }
}
