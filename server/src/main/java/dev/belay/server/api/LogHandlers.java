package dev.belay.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.log.LogMark;
import dev.belay.server.logs.LogStore;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.TaskLogGroup;
import dev.belay.store.read.Attempt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs of a task's attempts, complete or while they grow. */
final class LogHandlers {

  private static final Logger log = LoggerFactory.getLogger(LogHandlers.class);
  private static final String MISSING = "belay-log-missing";
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int CHUNK_BYTES = 64 << 10;

  /** How long a log may trail the end of its attempt: logs and results use different streams. */
  private static final Duration REST_MAX = Duration.ofSeconds(5);

  private static final Duration POLL_MAX = Duration.ofMillis(500);

  private final RestDependencies parts;
  private final Waiting waiting;

  LogHandlers(RestDependencies parts, Waiting waiting) {
    this.parts = parts;
    this.waiting = waiting;
  }

  HttpResponse stream(Call call) {
    var wanted = Wanted.of(call, parts.settings().of(TaskLogGroup.LOG_MAX));
    var attempt = pick(wanted);
    if (attempt.isEmpty() && wanted.number() != null && !wanted.follow()) {
      throw new Refused(
          HttpStatus.NOT_FOUND,
          "The task " + wanted.task() + " has no attempt " + wanted.number() + ".");
    }
    var place = waiting.enter();
    call.allowAnyTime();
    var writer = HttpResponse.streaming();
    writer.write(headers(attempt));
    parts
        .host()
        .blocking()
        .execute(
            () -> {
              try (place) {
                copy(wanted, attempt, writer);
              }
            });
    return writer;
  }

  /** Headers report missing bytes too; for a followed log, those known when it starts. */
  private ResponseHeaders headers(Optional<Attempt> attempt) {
    var missing = attempt.map(one -> parts.logs().missing(new DispatchId(one.dispatch())));
    return ResponseHeaders.builder(HttpStatus.OK)
        .contentType(MediaType.PLAIN_TEXT_UTF_8)
        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
        .set(MISSING, Long.toString(missing.map(LogStore.Missing::bytes).orElse(0L)))
        .build();
  }

  /** Writes a last line when the worker has more of this log but the server cannot store it. */
  private void sayMissing(DispatchId dispatch, HttpResponseWriter writer)
      throws InterruptedException, ExecutionException, TimeoutException {
    var missing = parts.logs().missing(dispatch);
    if (missing.why().isPresent()) {
      var why = missing.why().get().meaning();
      var line =
          missing.notHere() > 0 ? LogMark.missing(missing.notHere(), why) : LogMark.missing(why);
      send(writer, ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private void copy(Wanted wanted, Optional<Attempt> attempt, HttpResponseWriter writer) {
    try {
      var dispatch = attempt.isPresent() ? attempt : await(wanted, writer);
      if (dispatch.isPresent()) {
        copy(wanted, new DispatchId(dispatch.get().dispatch()), writer);
        sayMissing(new DispatchId(dispatch.get().dispatch()), writer);
      }
      writer.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      writer.close(e);
    } catch (IOException | ExecutionException | TimeoutException | RuntimeException e) {
      log.atInfo()
          .addKeyValue("task", wanted.task())
          .addKeyValue("cause", e.toString())
          .log("log stream ended early");
      writer.close(e);
    }
  }

  private void copy(Wanted wanted, DispatchId dispatch, HttpResponseWriter writer)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    var at = wanted.start(parts.logs().length(dispatch));
    var pause = waiting.new Pause();
    var quietSince = parts.host().ticker().getAsLong();
    while (writer.isOpen()) {
      var seen = pause.seen();
      // Checked before the read: a worker reports the end of an attempt after its log.
      var wasOver = wanted.follow() && isOver(wanted.task(), dispatch);
      var slice = parts.logs().read(dispatch, at, CHUNK_BYTES);
      var data = slice.map(LogStore.Slice::data).orElse(NOTHING);
      if (data.hasRemaining()) {
        at += data.remaining();
        send(writer, data);
        pause.reset();
        quietSince = parts.host().ticker().getAsLong();
        continue;
      }
      if (!wanted.follow() || slice.map(LogStore.Slice::complete).orElse(false)) {
        return;
      }
      var quiet = Duration.ofNanos(parts.host().ticker().getAsLong() - quietSince);
      if (wasOver && parts.logs().missing(dispatch).why().isPresent()) {
        // The rest comes when there is space again, at an unknown time.
        return;
      }
      if (wasOver && (slice.isEmpty() || quiet.compareTo(REST_MAX) > 0)) {
        // An attempt without output has no log that could be complete.
        return;
      }
      pause.take(seen, POLL_MAX);
    }
  }

  /** Waits for the requested attempt while the task can still have one. */
  private Optional<Attempt> await(Wanted wanted, HttpResponseWriter writer)
      throws InterruptedException {
    var pause = waiting.new Pause();
    while (wanted.follow() && writer.isOpen()) {
      var seen = pause.seen();
      var isOver =
          parts.store().reads().taskState(wanted.task()).map(s -> s.isTerminal()).orElse(true);
      var attempt = pick(wanted);
      if (attempt.isPresent() || isOver) {
        return attempt;
      }
      pause.take(seen, POLL_MAX);
    }
    return Optional.empty();
  }

  private void send(HttpResponseWriter writer, ByteBuffer data)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (writer.tryWrite(HttpData.wrap(data.array(), data.arrayOffset(), data.remaining()))) {
      writer
          .whenConsumed()
          .get(
              parts.settings().of(RequestGroup.ANSWER_STALL_MAX).toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private Optional<Attempt> pick(Wanted wanted) {
    if (parts.store().reads().taskState(wanted.task()).isEmpty()) {
      throw Missing.task(parts.store().reads(), wanted.task());
    }
    List<Attempt> attempts = parts.store().reads().attempts(wanted.task());
    return attempts.reversed().stream()
        .filter(attempt -> wanted.number() == null || attempt.number() == wanted.number())
        .findFirst();
  }

  private boolean isOver(UUID task, DispatchId dispatch) {
    return parts.store().reads().attempts(task).stream()
        .filter(attempt -> attempt.dispatch().equals(dispatch.value()))
        .allMatch(attempt -> attempt.endedAt() != null);
  }

  /**
   * The caller's request.
   *
   * @param number of the attempt; null means the last
   * @param tail only this many bytes from the end; null means from the offset
   */
  private record Wanted(
      UUID task, @Nullable Long number, long offset, @Nullable Long tail, boolean follow) {

    static Wanted of(Call call, long logMaxBytes) {
      var offset = call.numberOrNull("offset", 0, Long.MAX_VALUE);
      return new Wanted(
          call.id("task"),
          call.numberOrNull("attempt", 1, Integer.MAX_VALUE),
          offset == null ? 0 : offset,
          call.numberOrNull("tail", 0, logMaxBytes),
          call.flag("follow"));
    }

    long start(long length) {
      return tail == null ? offset : Math.max(offset, length - tail);
    }
  }
}
