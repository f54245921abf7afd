package dev.belay.agent;

import dev.belay.agent.execute.TaskExecutor;
import dev.belay.agent.handler.Handler;
import dev.belay.agent.handler.HandlerExecutor;
import dev.belay.agent.journal.Journal;
import dev.belay.agent.link.LogStream;
import dev.belay.agent.link.Servers;
import dev.belay.agent.link.SessionLoop;
import dev.belay.agent.link.Threads;
import dev.belay.agent.logs.LogSettings;
import dev.belay.agent.process.ProcessContext;
import dev.belay.agent.process.ProcessExecutor;
import dev.belay.agent.process.ProcessSettings;
import dev.belay.agent.process.TaskProcesses;
import dev.belay.agent.process.TaskUser;
import dev.belay.agent.state.AgentFolder;
import dev.belay.agent.state.Reserve;
import dev.belay.agent.wiring.Machine;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.session.agent.AgentProfile;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.Recovered;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running worker. */
public final class Agent implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Agent.class);

  public static final String VERSION = "0.1.0";

  /** The last events only write the journal. */
  private static final Duration STOP_MAX = Duration.ofSeconds(5);

  private final AgentSettings settings;
  private final AgentFolder folder;
  private final Journal journal;
  private final Reserve reserve;
  private final TaskExecutor executor;
  private final Servers servers;
  private final Threads threads;
  private final SessionLoop loop;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private Agent(
      AgentSettings settings,
      AgentFolder folder,
      Journal journal,
      Reserve reserve,
      TaskExecutor executor,
      Servers servers,
      Threads threads,
      SessionLoop loop) {
    this.settings = settings;
    this.folder = folder;
    this.journal = journal;
    this.reserve = reserve;
    this.executor = executor;
    this.servers = servers;
    this.threads = threads;
    this.loop = loop;
  }

  /**
   * Starts a worker in its state folder. It connects and reconnects by itself.
   *
   * @throws IOException with a message for people, when the folder is in use or unusable
   */
  public static Agent start(AgentSettings settings) throws IOException {
    return start(settings, Machine.real(), null);
  }

  /** Starts a worker that runs every dispatch of its pools in this JVM, through the handler. */
  public static Agent start(AgentSettings settings, Handler handler) throws IOException {
    return start(settings, Machine.real(), handler);
  }

  static Agent start(AgentSettings settings, Machine machine, @Nullable Handler handler)
      throws IOException {
    var folder =
        switch (AgentFolder.open(
            settings.stateFolder(), machine.ids(), machine.random(), settings.reserve())) {
          case AgentFolder.Opened(var opened) -> opened;
          case AgentFolder.InUse inUse -> throw new IOException(inUse.message());
        };
    var threads = Threads.start(settings.bounds().link().prepareThreads());
    try {
      checkJoinToken(settings, folder, machine.environment());
      return start(settings, machine, handler, folder, threads);
    } catch (IOException | RuntimeException e) {
      threads.close();
      folder.close();
      throw e;
    }
  }

  /** Anyone who has the token can join as a worker. In the agent's folder the token is private. */
  private static void checkJoinToken(
      AgentSettings settings, AgentFolder folder, Map<String, String> env) throws IOException {
    var user = settings.account().user();
    if (user.isEmpty() || !Files.exists(settings.joinTokenFile())) {
      return;
    }
    var file = settings.joinTokenFile().toRealPath();
    if (!folder.path().equals(file.getParent()) && user.get().isAmongReadersOf(file, env)) {
      throw new IOException(
          "the user %s, as whom tasks run, could read the join token. Run: chown root: %s && chmod 600 %s"
              .formatted(user.get().name(), file, file));
    }
  }

  private static Agent start(
      AgentSettings settings,
      Machine machine,
      @Nullable Handler handler,
      AgentFolder folder,
      Threads threads)
      throws IOException {
    var link = settings.bounds().link();
    var journalSettings = settings.bounds().journal();
    var identity =
        new AgentProfile.Identity(
            folder.worker(),
            folder.key(),
            new SessionId(machine.ids().next()),
            folder.nextSessionNumber());
    var session = identity.session();
    var servers =
        new Servers(settings.servers(), settings.joinTokenFile(), identity, link, machine.random());
    var processSettings = processSettings(settings);
    var reserve = Reserve.open(folder, settings.reserve());
    var bootId = Journal.bootId();
    var earlier = Journal.recover(folder.journal(), bootId, journalSettings);
    var recovered = earlier.recovered();
    var killed = TaskProcesses.killLeftovers(earlier.ids(), processSettings);
    var journal =
        new Journal(folder.journal(), session, bootId, journalSettings, recovered, reserve);
    if (folder.isNew()) {
      journal.lossReported();
    }
    var steady = machine.withClock(AgentClock.open(folder, bootId, machine));
    var logs =
        new LogStream(
            new LogStream.Spool(folder.logs(), logSettings(settings), machine.clock(), reserve),
            link,
            threads);
    logs.shipper().recover(recovered.held().keySet());
    var check = new CompletableFuture<Optional<String>>();
    var executor =
        handler == null
            ? processes(settings, steady, folder, session, logs, threads, reserve, check)
            : new HandlerExecutor(handler, steady.clock(), threads.timers());
    var agentSession =
        new AgentSession(
            profile(settings, machine, identity),
            new Recovered(
                recovered.held(), recovered.settled(), journal.complete(), recovered.rebooted()),
            settings.bounds().session(),
            machine.random());
    var loop =
        new SessionLoop(
            agentSession,
            folder,
            journal,
            executor,
            servers,
            logs,
            link,
            settings.bounds().gpu(),
            threads,
            steady,
            reserve);
    var agent = new Agent(settings, folder, journal, reserve, executor, servers, threads, loop);
    var _ = loop.gaveUp().thenRunAsync(agent::close, threads.background());
    loop.start();
    var _ = check.thenAccept(complaint -> complaint.ifPresent(agent::cannotRunTasks));
    log.atInfo()
        .addKeyValue("worker", folder.worker())
        .addKeyValue("session", session)
        .addKeyValue("recovered", recovered.held().size())
        .addKeyValue("killed", killed)
        .addKeyValue("separation", settings.account().separation(TaskUser.own()))
        .log("agent started");
    return agent;
  }

  /** Runs a self-check while the agent connects; neither waits for the other. */
  private static TaskExecutor processes(
      AgentSettings settings,
      Machine machine,
      AgentFolder folder,
      SessionId session,
      LogStream logs,
      Threads threads,
      Reserve reserve,
      CompletableFuture<Optional<String>> check)
      throws IOException {
    var processes =
        TaskProcesses.start(
            folder,
            session,
            processSettings(settings),
            new ProcessContext(
                machine.clock(),
                machine.ticker(),
                machine.kernel(),
                threads.timers(),
                threads.background(),
                machine.environment(),
                settings.account(),
                reserve));
    var _ = SelfCheck.run(processes, machine, threads.background()).thenAccept(check::complete);
    return new ProcessExecutor(processes, logs.shipper()::open, threads.prepare());
  }

  private static ProcessSettings processSettings(AgentSettings settings) {
    var others = settings.bounds().process();
    return new ProcessSettings(
        settings.stopGrace(),
        others.drain(),
        others.quietAfter(),
        others.sweepInterval(),
        others.sweepRounds(),
        others.cleanupEntriesMax());
  }

  private static LogSettings logSettings(AgentSettings settings) {
    var others = settings.bounds().logs();
    return new LogSettings(
        settings.logMaxBytes(),
        others.totalMaxBytes(),
        others.lineMaxBytes(),
        others.chunkMaxBytes(),
        others.inFlightMax(),
        others.resendMax(),
        others.shipWait(),
        others.pauseMax(),
        others.lostMax());
  }

  private static AgentProfile profile(
      AgentSettings settings, Machine machine, AgentProfile.Identity identity) {
    return new AgentProfile(
        identity,
        settings.name(),
        settings.offer(),
        VERSION,
        machine.platform(),
        machine.clock().instant());
  }

  /** With a full disk the agent stays: tasks can run when there is room again. */
  private void cannotRunTasks(String why) {
    if (!closing.get() && reserve.trouble().isEmpty()) {
      loop.giveUp("this machine cannot run tasks: " + why.strip());
    }
  }

  /** Stable over restarts in the same folder. */
  public String workerId() {
    return folder.worker().toString();
  }

  /**
   * Completes with a reason for people when this agent can do no more work. It then closes itself.
   */
  public CompletionStage<String> gaveUp() {
    return loop.gaveUp().copy();
  }

  /**
   * Ends all tasks, waits until the server has settled them or the drain time is over, and releases
   * the folder. The next agent in the folder reports the remaining outcomes.
   */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      closed.join();
      return;
    }
    try {
      await(
          loop.drain(AbortReason.GRACEFUL_SHUTDOWN.word(), settings.stopGrace()),
          settings.drainTimeout());
      executor.close();
      await(loop.stop(), STOP_MAX);
    } catch (IOException e) {
      log.atError().setCause(e).log("agent did not end its tasks");
    } finally {
      release();
      closed.complete(null);
      log.atInfo().addKeyValue("worker", workerId()).log("agent stopped");
    }
  }

  private void release() {
    servers.close();
    threads.close();
    reserve.close();
    try (folder;
        journal) {
      log.atDebug().log("folder released");
    } catch (IOException e) {
      log.atError().setCause(e).log("agent folder not released");
    }
  }

  private static void await(CompletableFuture<Void> end, Duration atMost) {
    try {
      end.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      log.atWarn().addKeyValue("waited", atMost).log("agent stops without waiting longer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
