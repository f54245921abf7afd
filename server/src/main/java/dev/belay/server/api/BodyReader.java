package dev.belay.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.Settings;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads one body on its event loop, without holding a thread: into memory that the budget allows,
 * and only while it arrives fast enough. Only the request's event loop calls this.
 */
final class BodyReader implements Subscriber<HttpObject> {

  private static final int FIRST_BYTES = 4 << 10;
  private static final int AHEAD = 8;

  private final ServiceRequestContext context;
  private final HttpRequest request;
  private final Limits limits;
  private final BelayMetrics metrics;
  private final Budget.Lease lease;
  private final long expected;
  private final CompletableFuture<Body> done = new CompletableFuture<>();
  private byte[] bytes = new byte[0];
  private int length;
  private int lengthBefore;
  private Duration took = Duration.ZERO;
  private @Nullable Subscription subscription;
  private @Nullable ScheduledFuture<?> watch;

  private BodyReader(
      ServiceRequestContext context,
      HttpRequest request,
      Limits limits,
      BelayMetrics metrics,
      Budget.Lease lease) {
    this.context = context;
    this.request = request;
    this.limits = limits;
    this.metrics = metrics;
    this.lease = lease;
    this.expected = request.headers().contentLength();
  }

  /**
   * How fast a body must arrive.
   *
   * @param stallMax the period over which its rate is measured
   * @param rateMin bytes a second
   * @param timeMax for the whole body
   * @param requestMax for the call, once its body is complete
   */
  record Limits(Duration stallMax, long rateMin, Duration timeMax, Duration requestMax) {
    static Limits of(Settings settings) {
      return new Limits(
          settings.of(RequestGroup.UPLOAD_STALL_MAX),
          settings.of(RequestGroup.UPLOAD_RATE_MIN),
          settings.of(RequestGroup.UPLOAD_TIME_MAX),
          settings.of(RequestGroup.REQUEST_TIME_MAX));
    }
  }

  /** A body in memory; close it after use. */
  static final class Body implements AutoCloseable {
    private final byte[] bytes;
    private final Budget.Lease lease;

    private Body(byte[] bytes, Budget.Lease lease) {
      this.bytes = bytes;
      this.lease = lease;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public void close() {
      lease.close();
    }
  }

  /** Fails with Refused when there is no room, or when the body arrives too slowly. */
  static CompletableFuture<Body> read(
      ServiceRequestContext context,
      HttpRequest request,
      Budget bodies,
      Limits limits,
      BelayMetrics metrics) {
    var expected = request.headers().contentLength();
    var lane = bodies.laneFor(expected < 0 ? Long.MAX_VALUE : expected);
    if (!lane.hasRoomFor(Math.max(expected, FIRST_BYTES))) {
      return CompletableFuture.failedFuture(full(metrics));
    }
    var reader = new BodyReader(context, request, limits, metrics, lane.lease());
    var atMost = limits.timeMax().plus(limits.requestMax());
    context.setRequestTimeout(TimeoutMode.SET_FROM_START, atMost);
    request.subscribe(reader, context.eventLoop());
    return reader.done;
  }

  @Override
  public void onSubscribe(Subscription began) {
    subscription = began;
    var window = limits.stallMax();
    watch =
        context
            .eventLoop()
            .withoutContext()
            .scheduleAtFixedRate(
                () -> look(window), window.toNanos(), window.toNanos(), TimeUnit.NANOSECONDS);
    began.request(AHEAD);
  }

  @Override
  public void onNext(HttpObject object) {
    if (object instanceof HttpData data && !done.isDone()) {
      var more = data.array();
      if (!grow(length + more.length)) {
        fail(full(metrics));
        return;
      }
      System.arraycopy(more, 0, bytes, length, more.length);
      length += more.length;
    }
    if (subscription != null) {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable cause) {
    fail(cause);
  }

  @Override
  public void onComplete() {
    stopWatching();
    var whole = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    context.setRequestTimeout(TimeoutMode.SET_FROM_NOW, limits.requestMax());
    if (!done.complete(new Body(whole, lease))) {
      lease.close();
    }
  }

  /** Doubles the room each time, but never beyond the announced size. */
  private boolean grow(int wanted) {
    if (wanted <= bytes.length) {
      return true;
    }
    var twice = Math.max(Math.max(wanted, FIRST_BYTES), 2L * bytes.length);
    var capacity = expected >= wanted ? Math.min(expected, twice) : twice;
    if (!lease.growTo(capacity)) {
      return false;
    }
    bytes = Arrays.copyOf(bytes, Math.toIntExact(capacity));
    return true;
  }

  /** Part of the body must arrive in each window, and all of it within the total time. */
  private void look(Duration window) {
    took = took.plus(window);
    var least = limits.rateMin() * window.toMillis() / 1_000;
    var slow = length - lengthBefore < least;
    lengthBefore = length;
    if (slow || took.compareTo(limits.timeMax()) >= 0) {
      metrics.refused(BelayMetrics.RequestRefusal.UPLOAD_SLOW);
      fail(
          new Refused(
              Problem.of(
                      HttpStatus.REQUEST_TIMEOUT,
                      "The body came too slowly: "
                          + length
                          + " bytes in "
                          + took.toMillis()
                          + " ms; nothing was stored. Send it at once.")
                  .ofType("upload-too-slow")
                  .with("connection", "close")));
    }
  }

  private void fail(Throwable cause) {
    stopWatching();
    if (done.completeExceptionally(cause)) {
      lease.close();
      bytes = new byte[0];
      request.abort();
    }
  }

  private void stopWatching() {
    if (watch != null) {
      watch.cancel(false);
    }
  }

  private static Refused full(BelayMetrics metrics) {
    metrics.refused(BelayMetrics.RequestRefusal.BODIES_FULL);
    return new Refused(
        Problem.busy("Too many bodies are on their way to this server; try again in a moment."));
  }
}
