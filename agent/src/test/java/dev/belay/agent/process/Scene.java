package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Latched;
import dev.belay.agent.execute.Prepared;
import dev.belay.agent.state.AgentFolder;
import dev.belay.agent.state.Reserve;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.agent.wiring.Kernel;
import dev.belay.domain.id.SessionId;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Real processes in their own state folder. */
final class Scene implements AutoCloseable {

  final SessionId session = new SessionId(UUID.randomUUID());
  final Path path;
  final AgentFolder folder;
  final TaskProcesses processes;
  private final Kernel kernel;
  final Map<String, String> inherited = new HashMap<>(System.getenv());
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private final ExecutorService background =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

  Scene(Path path) throws IOException {
    this(path, Kernel.real());
  }

  Scene(Path path, Kernel kernel) throws IOException {
    this(path, kernel, TaskAccount.SAME);
  }

  Scene(Path path, Kernel kernel, TaskAccount account) throws IOException {
    this.path = path;
    this.kernel = kernel;
    inherited.put("BELAY_JOIN_TOKEN", "top-secret");
    this.folder =
        switch (AgentFolder.open(path, UUID::randomUUID, new SecureRandom())) {
          case AgentFolder.Opened(AgentFolder opened) -> opened;
          case AgentFolder.InUse inUse -> throw new IOException(inUse.message());
        };
    this.processes =
        TaskProcesses.start(
            folder,
            session,
            ProcessSettings.defaults(),
            new ProcessContext(
                Clock.systemUTC(),
                System::nanoTime,
                kernel,
                scheduler,
                background,
                inherited,
                account,
                Reserve.open(folder, new ReserveSettings(0, 0, 0))));
  }

  Dispatch.Builder blank() {
    return Dispatch.newBuilder()
        .setDispatchId(UUID.randomUUID().toString())
        .setTaskId(UUID.randomUUID().toString())
        .setRunId(UUID.randomUUID().toString())
        .setTaskName("a-task")
        .setTenant("default")
        .setWorkflow("a-workflow")
        .setAttempt(2)
        .setFencingToken(7);
  }

  Dispatch dispatch(String... argv) {
    return blank().addAllArgv(List.of(argv)).build();
  }

  Dispatch shell(String text) {
    return dispatch("/bin/sh", "-c", text);
  }

  /** Strict, under a lease of this length. */
  LatchedProcess lease(String text, Duration length) {
    LatchedProcess process = prepare(shell(text).toBuilder().setLeaseMs(1).build());
    extend(process, length);
    return process;
  }

  void extend(LatchedProcess process, Duration length) {
    long until = kernel.uptime().getAsLong() + length.toNanos();
    processes.lease(Map.of(process.dispatch(), until));
  }

  LatchedProcess prepare(Dispatch dispatch) {
    return prepare(dispatch, new Memory());
  }

  LatchedProcess prepare(Dispatch dispatch, LogSink sink) {
    return switch (processes.prepare(dispatch, sink)) {
      case Latched latched -> (LatchedProcess) latched;
      case Prepared.Failed(Ended ended) -> throw new AssertionError(ended.toString());
      case Prepared.NoRoom noRoom -> throw new AssertionError(noRoom.toString());
    };
  }

  LatchedProcess run(Dispatch dispatch, LogSink sink) {
    LatchedProcess latched = prepare(dispatch, sink);
    latched.open(Instant.now());
    return latched;
  }

  /** Runs it to its end. */
  Ended end(Dispatch dispatch) throws Exception {
    return switch (processes.prepare(dispatch, new Memory())) {
      case Latched latched -> {
        latched.open(Instant.now());
        yield end((LatchedProcess) latched);
      }
      case Prepared.Failed(Ended ended) -> ended;
      case Prepared.NoRoom noRoom -> throw new AssertionError(noRoom.toString());
    };
  }

  Ended end(LatchedProcess process) throws Exception {
    return end(process, Duration.ofSeconds(15));
  }

  Ended end(LatchedProcess process, Duration within) throws Exception {
    return process.ended().toCompletableFuture().get(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() throws IOException {
    processes.close();
    folder.close();
    scheduler.shutdownNow();
    background.shutdown();
    assertThat(processes.live()).isEmpty();
  }

  /** Keeps all output. */
  static final class Memory implements LogSink {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    volatile boolean closed;

    @Override
    public synchronized void write(Stream stream, byte[] data, int length) {
      (stream == Stream.OUT ? out : err).write(data, 0, length);
    }

    @Override
    public void quiet() {}

    @Override
    public void close() {
      closed = true;
    }

    synchronized String out() {
      return out.toString(UTF_8);
    }

    synchronized int size() {
      return out.size() + err.size();
    }
  }
}
