package dev.belay.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.Settings;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves the memory of each answer until it is written, and closes the connection of a client
 * that does not read its answer.
 */
final class Answering {

  private static final Logger log = LoggerFactory.getLogger(Answering.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Budget answers;
  private final Duration stallMax;
  private final Duration timeMax;
  private final BelayMetrics metrics;

  Answering(Budget answers, Settings settings, BelayMetrics metrics) {
    this.answers = answers;
    this.stallMax = settings.of(RequestGroup.ANSWER_STALL_MAX);
    this.timeMax = settings.of(RequestGroup.ANSWER_TIME_MAX);
    this.metrics = metrics;
  }

  /** The answer, or a short refusal when too many answers wait for their readers. */
  HttpResponse send(ServiceRequestContext context, AggregatedHttpResponse answer) {
    var bytes = answer.content().length();
    var lease = answers.laneFor(bytes).lease();
    if (!lease.growTo(bytes)) {
      metrics.refused(BelayMetrics.RequestRefusal.ANSWERS_FULL);
      watch(context);
      return Problem.busy("Too many answers wait for their readers; try again in a moment.")
          .response()
          .toHttpResponse();
    }
    var _ = context.log().whenComplete().thenRun(lease::close);
    watch(context);
    return answer.toHttpResponse();
  }

  void watch(ServiceRequestContext context) {
    var channel = context.log().partial().channel();
    if (channel != null && !context.log().isComplete()) {
      var reader = new Reader(context, channel);
      context.eventLoop().withoutContext().execute(reader::begin);
    }
  }

  /** One unfinished answer; its event loop checks it. */
  private final class Reader {
    private final ServiceRequestContext context;
    private final Channel channel;
    private Duration still = Duration.ZERO;
    private Duration took = Duration.ZERO;
    private long pending;
    private long progress;

    Reader(ServiceRequestContext context, Channel channel) {
      this.context = context;
      this.channel = channel;
    }

    void begin() {
      var looks =
          context
              .eventLoop()
              .withoutContext()
              .scheduleAtFixedRate(
                  this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
      var _ = context.log().whenComplete().thenRun(() -> looks.cancel(false));
    }

    private void look() {
      var out = channel.unsafe().outboundBuffer();
      var pendingNow = out == null ? 0 : out.totalPendingWriteBytes();
      var progressNow = out == null ? 0 : out.currentProgress();
      var moved = pendingNow != pending || progressNow != progress;
      still = moved ? Duration.ZERO : still.plus(LOOK);
      took = took.plus(LOOK);
      pending = pendingNow;
      progress = progressNow;
      if (still.compareTo(stallMax) >= 0 || took.compareTo(timeMax) >= 0) {
        metrics.readerCut();
        log.atInfo()
            .addKeyValue("path", context.path())
            .addKeyValue("client", context.remoteAddress())
            .addKeyValue("pending_bytes", pendingNow)
            .log("a client does not read its answer; connection closed");
        var _ = channel.close();
      }
    }
  }
}
