package dev.belay.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import dev.belay.server.logs.LogAccess;
import dev.belay.server.logs.LogDisk;
import dev.belay.server.logs.LogRates;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.session.wire.CallHeaders;
import dev.belay.session.wire.WorkerKey;
import dev.belay.store.log.LogOwners;
import dev.belay.store.worker.KeyRows;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCallTest {

  private static final Instant NOW = Instant.parse("2026-06-15T12:00:00Z");
  private static final WorkerId REAL = new WorkerId(new UUID(1, 1));
  private static final WorkerId FORGER = new WorkerId(new UUID(1, 2));
  private static final SessionId SESSION = new SessionId(new UUID(2, 2));
  private static final TaskId TASK = new TaskId(new UUID(3, 3));
  private static final DispatchId ID = id(NOW.minusSeconds(60), 1);

  @TempDir Path folder;

  private final Map<WorkerId, WorkerKey> keys =
      Map.of(REAL, WorkerKey.random(new Random(1)), FORGER, WorkerKey.random(new Random(2)));
  private final Map<DispatchId, LogOwners.Owner> owners = new HashMap<>();
  private final ArrayDeque<Runnable> jobs = new ArrayDeque<>();
  private boolean databaseAway;
  private LogStore store;
  private LogGateway gateway;

  @BeforeEach
  void open() throws IOException {
    var clock = InstantSource.fixed(NOW);
    store =
        new LogStore(
            folder.resolve("logs"),
            new LogStore.Bounds(1_000, Duration.ofDays(14), 100),
            clock,
            new LogDisk(folder, Long.MAX_VALUE, 0, () -> 0));
    owners.put(ID, new LogOwners.Owner(REAL, List.of()));
    gateway =
        new LogGateway(
            new WorkerKeys(this::known, () -> 0),
            new LogAccess(this::owner, store, 1_500, 100, clock),
            store,
            new LogRates(1 << 30, 100, () -> 0),
            new BelayMetrics(),
            jobs::add,
            () -> {},
            new LogGateway.Bounds(1_000, Duration.ofSeconds(5)));
  }

  @Test
  void the_last_answer_comes_before_the_end_of_a_stream_that_was_half_closed() {
    var stream = new Answers();
    var call = call(REAL, stream);
    call.onNext(chunk(ID, 0, "all of it", true));
    call.onCompleted();
    assertThat(stream.heard).containsExactly("max 1000");
    work();
    assertThat(stream.heard).containsExactly("max 1000", "9 full", "completed");
  }

  @Test
  void only_the_worker_of_a_dispatch_writes_its_log() throws IOException {
    var real = call(REAL, new Answers());
    real.onNext(chunk(ID, 0, "true\n", false));
    work();
    var forged = new Answers();
    var forger = call(FORGER, forged);
    forger.onNext(chunk(ID, 5, "forged\n", false));
    work();
    forger.onNext(chunk(ID, 5, "", true));
    work();
    assertThat(forged.heard)
        .containsExactly("max 1000", "0 full other_worker", "0 full other_worker");
    real.onNext(chunk(ID, 5, "whole\n", true));
    work();
    assertThat(text(ID)).isEqualTo("true\nwhole\n");
  }

  @Test
  void an_invented_dispatch_makes_no_file() throws IOException {
    var stream = new Answers();
    var call = call(FORGER, stream);
    call.onNext(chunk(id(NOW.minusSeconds(60), 9), 0, "x", false));
    work();
    call.onNext(chunk(id(NOW, 9), 0, "x", true));
    work();
    assertThat(stream.heard)
        .containsExactly(
            "max 1000", "0 full unknown_dispatch", "0 again after 5000 ms not_yet_known");
    try (var files = Files.walk(folder.resolve("logs"))) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void who_has_no_key_of_a_worker_writes_nothing() {
    var stream = new Answers();
    var headers = headers(REAL).toBuilder().set(CallHeaders.KEY, key(FORGER).text()).build();
    new LogCall(gateway, headers, stream, Runnable::run).open();
    work();
    assertThat(stream.heard).containsExactly("failed UNAUTHENTICATED");
    var anonymous = new Answers();
    new LogCall(gateway, RequestHeaders.of(HttpMethod.POST, "/"), anonymous, Runnable::run).open();
    work();
    assertThat(anonymous.heard).containsExactly("failed UNAUTHENTICATED");
    assertThat(anonymous.requested).isZero();
  }

  @Test
  void while_the_database_is_away_nothing_is_stored_and_nothing_is_lost() {
    var stream = new Answers();
    var call = call(REAL, stream);
    databaseAway = true;
    call.onNext(chunk(ID, 0, "x", true));
    work();
    databaseAway = false;
    call.onNext(chunk(ID, 0, "x", true));
    work();
    assertThat(stream.heard)
        .containsExactly("max 1000", "0 again after 5000 ms database_away", "1 full");
  }

  @Test
  void a_malformed_chunk_ends_the_stream() {
    for (var chunk :
        List.of(
            LogChunk.newBuilder().setDispatchId("../../etc/passwd").build(),
            LogChunk.newBuilder().setDispatchId(ID.toString()).setTaskId("none").build(),
            LogChunk.newBuilder()
                .setDispatchId(ID.toString())
                .setTaskId(TASK.toString())
                .setData(ByteString.copyFrom(new byte[(1 << 20) + 1]))
                .build())) {
      var stream = new Answers();
      call(REAL, stream).onNext(chunk);
      work();
      assertThat(stream.heard).containsExactly("max 1000", "failed INVALID_ARGUMENT");
    }
  }

  @Test
  void a_newer_stream_of_a_worker_ends_the_older() {
    var older = new Answers();
    call(REAL, older);
    var newer = new Answers();
    call(REAL, newer);
    assertThat(older.heard).containsExactly("max 1000", "failed ABORTED");
    assertThat(newer.heard).containsExactly("max 1000");
  }

  @Test
  void all_attempts_of_a_task_share_its_limit() throws IOException {
    var second = id(NOW.minusSeconds(30), 2);
    owners.put(second, new LogOwners.Owner(REAL, List.of(ID)));
    var call = call(REAL, new Answers());
    call.onNext(chunk(ID, 0, "x".repeat(900), true));
    work();
    call.onNext(chunk(second, 0, "y".repeat(900), true));
    work();
    assertThat(text(second))
        .startsWith("y".repeat(600) + "\n[belay: the logs of this task reached their limit");
  }

  @Test
  void a_stream_that_ends_before_its_worker_is_known_is_forgotten() {
    var stream = new Answers();
    var call = new LogCall(gateway, headers(REAL), stream, Runnable::run).open();
    call.onError(new IllegalStateException("reset"));
    work();
    assertThat(gateway.streams()).isEmpty();
    assertThat(stream.heard).isEmpty();
  }

  private LogCall call(WorkerId worker, Answers stream) {
    var call = new LogCall(gateway, headers(worker), stream, Runnable::run).open();
    work();
    return call;
  }

  private WorkerKey key(WorkerId worker) {
    return Objects.requireNonNull(keys.get(worker));
  }

  private RequestHeaders headers(WorkerId worker) {
    return RequestHeaders.builder(HttpMethod.POST, "/")
        .set(CallHeaders.WORKER, worker.toString())
        .set(CallHeaders.SESSION, SESSION.toString())
        .set(CallHeaders.KEY, key(worker).text())
        .build();
  }

  private void work() {
    for (var work = jobs.poll(); work != null; work = jobs.poll()) {
      work.run();
    }
  }

  private Optional<KeyRows.Known> known(WorkerId worker) {
    return Optional.ofNullable(keys.get(worker))
        .map(key -> new KeyRows.Known(ByteString.copyFrom(key.hash()), "w", SESSION, 1, false));
  }

  private Optional<LogOwners.Owner> owner(TaskId task, DispatchId dispatch) {
    if (databaseAway) {
      throw new IllegalStateException("away");
    }
    return Optional.ofNullable(owners.get(dispatch)).filter(_ -> task.equals(TASK));
  }

  private String text(DispatchId dispatch) throws IOException {
    var slice = store.read(dispatch, 0, 10_000).orElseThrow();
    assertThat(slice.complete()).isTrue();
    return StandardCharsets.UTF_8.decode(slice.data()).toString();
  }

  private static DispatchId id(Instant at, long n) {
    return new DispatchId(Ids.v7(at.toEpochMilli(), 1, n));
  }

  private static LogChunk chunk(DispatchId dispatch, long offset, String text, boolean last) {
    return LogChunk.newBuilder()
        .setDispatchId(dispatch.toString())
        .setTaskId(TASK.toString())
        .setOffset(offset)
        .setData(ByteString.copyFromUtf8(text))
        .setLast(last)
        .build();
  }

  /** The messages that the worker gets. */
  private static final class Answers extends ServerCallStreamObserver<LogAck> {
    private final List<String> heard = new ArrayList<>();
    private int requested;

    @Override
    public void onNext(LogAck ack) {
      heard.add(
          ack.getDispatchId().isEmpty()
              ? "max " + ack.getMaxBytes()
              : ack.getLength()
                  + (ack.getFull() ? " full" : "")
                  + (ack.getRetryAfterMs() > 0
                      ? " again after " + ack.getRetryAfterMs() + " ms"
                      : "")
                  + (ack.getRefused().isEmpty() ? "" : " " + ack.getRefused()));
    }

    @Override
    public void onError(Throwable error) {
      heard.add("failed " + Status.fromThrowable(error).getCode());
    }

    @Override
    public void onCompleted() {
      heard.add("completed");
    }

    @Override
    public void request(int count) {
      requested += count;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void disableAutoRequest() {}

    @Override
    public void setMessageCompression(boolean enable) {}
  }
}
