package dev.belay.agent.process;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Prepared;
import dev.belay.agent.state.AgentFolder;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All task processes of one agent session. */
public final class TaskProcesses implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TaskProcesses.class);

  /** The supervisor of an earlier session needs only a moment. */
  private static final Duration SUPERVISOR_WAIT = Duration.ofSeconds(3);

  private static final Duration LOOK_INTERVAL = Duration.ofMillis(10);

  /** E2BIG, the only refusal of a new process that is the command's fault. */
  private static final Pattern TOO_LONG = Pattern.compile("\\berror[=:] ?7\\b");

  private final SessionId session;
  private final ProcessSettings settings;
  private final ProcessContext surroundings;
  private final Launcher launcher;
  private final WorkFolders folders;
  private final Supervisor supervisor;

  /** Does the same as the supervisor, in case the supervisor and the agent are killed at once. */
  private final Supervisor deputy;

  private final LeaseWatch leases;
  private final OutputPump pump;
  private final Sweeper sweeper;
  private final Map<DispatchId, LatchedProcess> live = new ConcurrentHashMap<>();

  private TaskProcesses(
      AgentFolder folder, SessionId session, ProcessSettings settings, ProcessContext surroundings)
      throws IOException {
    this.session = session;
    this.settings = settings;
    this.surroundings = surroundings;
    this.launcher = Launcher.find(surroundings.account(), surroundings.inherited());
    Executor background = surroundings.background();
    String setsid = launcher.setsid();
    this.folders =
        new WorkFolders(folder.work(), settings.cleanupEntriesMax(), surroundings.account().user());
    this.supervisor = new Supervisor(setsid, Supervisor.NAME, session, background);
    this.deputy = new Supervisor(setsid, Supervisor.DEPUTY, session, background);
    this.leases =
        new LeaseWatch(setsid, folder.path(), session, background, surroundings.reserve());
    this.pump = new OutputPump(settings.quietAfter(), surroundings.ticker());
    this.sweeper =
        new Sweeper(
            session,
            settings,
            surroundings.scheduler(),
            surroundings.background(),
            surroundings.ticker());
  }

  /** Removes the folders of earlier sessions and starts the supervisor. */
  public static TaskProcesses start(
      AgentFolder folder, SessionId session, ProcessSettings settings, ProcessContext surroundings)
      throws IOException {
    TaskProcesses processes = new TaskProcesses(folder, session, settings, surroundings);
    Optional<TaskUser> user = surroundings.account().user();
    if (user.isPresent()) {
      user.get().checkOwnsNothingIn(folder.path());
      folder.letThrough();
      processes.launcher.checkReaches(folder.work());
    }
    processes.folders.removeLeftovers();
    LeaseWatch.removeLeftovers(folder.path());
    processes.supervisor.start();
    processes.deputy.start();
    surroundings.background().execute(processes.pump::run);
    return processes;
  }

  /**
   * Kills processes left by earlier sessions (their agent and supervisor were killed together) and
   * returns how many there were. It first waits for a supervisor that still runs, which knows
   * groups whose processes carry no cookie.
   */
  public static int killLeftovers(Set<SessionId> earlier, ProcessSettings settings) {
    if (earlier.isEmpty()) {
      return 0;
    }
    if (!Supervisor.awaitEnd(earlier, SUPERVISOR_WAIT, LOOK_INTERVAL)) {
      log.atWarn().log("the supervisor of an earlier session does not end");
    }
    return Sweeper.killAll(
        settings.sweepRounds(), (session, dispatch) -> earlier.contains(session), LOOK_INTERVAL);
  }

  /** Starts the latched process of a dispatch. Its command runs when the latch opens. */
  public Prepared prepare(Dispatch dispatch, LogSink sink) {
    DispatchId id = DispatchId.of(dispatch.getDispatchId());
    if (live.containsKey(id)) {
      throw new IllegalStateException("prepared twice: " + id);
    }
    try {
      return launch(id, dispatch, sink);
    } catch (CannotStart e) {
      return failed(dispatch, sink, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // The command's fault, such as an illegal variable name; a refused one would come back.
      log.atWarn().setCause(e).addKeyValue("dispatch", id).log("task cannot be prepared");
      return failed(dispatch, sink, "cannot start: " + e.getMessage());
    } catch (IOException e) {
      return TOO_LONG.matcher(String.valueOf(e.getMessage())).find()
          ? failed(dispatch, sink, "cannot start: " + e.getMessage())
          : noRoom(id, sink, e);
    } catch (Error e) {
      return noRoom(id, sink, e);
    }
  }

  private Prepared failed(Dispatch dispatch, LogSink sink, String message) {
    DispatchId id = DispatchId.of(dispatch.getDispatchId());
    TaskId task = TaskId.of(dispatch.getTaskId());
    cleanUp(id, sink);
    return new Prepared.Failed(Ended.startFailed(id, task, now(), message));
  }

  /** Files, memory, threads, disk: shortages that are not the command's fault. */
  private Prepared noRoom(DispatchId id, LogSink sink, Throwable cause) {
    log.atError().addKeyValue("dispatch", id).addKeyValue("cause", cause).log("no room for a task");
    log.atDebug().setCause(cause).log("no room for a task");
    surroundings.reserve().note(cause);
    cleanUp(id, sink);
    return new Prepared.NoRoom(Outcome.Refused.NO_RESOURCES + ": " + cause);
  }

  /** Not in the background: there may be no free thread. */
  private void cleanUp(DispatchId id, LogSink sink) {
    sink.close();
    folders.remove(folders.of(id));
  }

  /** Extends the leases of all dispatches that are here, with one write. */
  public void lease(Map<DispatchId, Long> untilNanos) {
    Map<LatchedProcess, LeaseWatch.Leased> more = new LinkedHashMap<>();
    untilNanos.forEach(
        (id, until) -> {
          LatchedProcess process = live.get(id);
          if (process != null && process.mayExtend()) {
            long told = until - until % LeaseWatch.NANOS_PER_UNIT;
            more.put(process, new LeaseWatch.Leased(id, process.pid(), told));
          }
        });
    if (more.isEmpty()) {
      return;
    }
    try {
      leases.extend(more.values());
      more.forEach(this::leased);
    } catch (IOException e) {
      // The next heartbeat that the server has seen tries again, while the leases last.
      log.atError()
          .addKeyValue("tasks", more.size())
          .addKeyValue("cause", e)
          .log("leases cannot be written");
      surroundings.reserve().note(e);
      more.keySet().forEach(LatchedProcess::leaseUnwritable);
    }
  }

  /** A process that ended meanwhile has dropped its lease, or will, and must not get it back. */
  private void leased(LatchedProcess process, LeaseWatch.Leased leased) {
    if (!process.leased(leased.untilNanos())) {
      leases.groupEnded(leased.dispatch());
      if (process.isSwept()) {
        leases.forget(leased.dispatch());
      }
    }
  }

  /** The live processes, including those at their latch. */
  public List<LatchedProcess> live() {
    return List.copyOf(live.values());
  }

  /** Ends every task at once and waits a little longer than the drain time. */
  @Override
  public void close() throws IOException {
    List<CompletableFuture<Ended>> ends = new ArrayList<>();
    for (LatchedProcess process : live()) {
      ends.add(process.ended().toCompletableFuture());
      process.kill("the agent is shutting down");
    }
    CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, settings.drain().multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS)
        .join();
    leases.close();
    supervisor.close();
    deputy.close();
    pump.close();
    folders.removeLeftovers();
  }

  private LatchedProcess launch(DispatchId id, Dispatch dispatch, LogSink sink)
      throws CannotStart, IOException {
    boolean strict = dispatch.getLeaseMs() > 0;
    Path folder = folders.create(id);
    Map<String, String> env =
        TaskEnvironment.of(
            dispatch, session, surroundings.inherited(), surroundings.account().user());
    List<String> command = launcher.words(StartLatch.script(strict));
    command.addAll(Command.of(dispatch, folder, env));
    checkEncodable(command, env);
    folders.handOver(folder);
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(StartLatch.environment(env));

    Started started = start(builder, surroundings.account().user());
    Process leader = started.leader();
    try {
      supervisor.register(leader.pid());
      deputy.register(leader.pid());
    } catch (IOException | RuntimeException | Error e) {
      // Its latch is closed, so this only ends a waiting shell.
      supervisor.forget(leader.pid());
      leader.destroyForcibly();
      Libc.close(started.outFd());
      Libc.close(started.errFd());
      throw e;
    }
    LatchedProcess process =
        new LatchedProcess(
            id,
            TaskId.of(dispatch.getTaskId()),
            Terms.of(dispatch, oomKills()),
            new ProcessGroup(leader),
            new TaskOutput(started.outFd(), started.errFd(), sink),
            this);
    live.put(id, process);
    process.watch();
    return process;
  }

  /** The JVM would pass a question mark instead. */
  private static void checkEncodable(List<String> command, Map<String, String> env)
      throws CannotStart {
    String charset = System.getProperty("sun.jnu.encoding", "UTF-8");
    if (charset.equalsIgnoreCase("UTF-8")) {
      return;
    }
    boolean plain =
        Stream.concat(command.stream(), env.values().stream())
            .allMatch(text -> text.chars().allMatch(each -> each < 128));
    if (!plain) {
      throw new CannotStart(
          "the agent's locale (%s) cannot pass all characters of the command and its variables: start the agent with LC_ALL=C.UTF-8"
              .formatted(charset));
    }
  }

  private record Started(Process leader, int outFd, int errFd) {}

  private static Started start(ProcessBuilder builder, Optional<TaskUser> user) throws IOException {
    Libc.Pipe out = Libc.pipe();
    try {
      Libc.Pipe err = Libc.pipe();
      try {
        if (user.isPresent()) {
          user.get().ownPipe(end(out).toPath());
          user.get().ownPipe(end(err).toPath());
        }
        Process leader = builder.redirectOutput(end(out)).redirectError(end(err)).start();
        return new Started(leader, out.reader(), err.reader());
      } catch (IOException | RuntimeException | Error e) {
        Libc.close(err.reader());
        throw e;
      } finally {
        Libc.close(err.writer());
      }
    } catch (IOException | RuntimeException | Error e) {
      Libc.close(out.reader());
      throw e;
    } finally {
      Libc.close(out.writer());
    }
  }

  /** The child's end of a pipe: Java opens the file in this process and passes it on. */
  private static File end(Libc.Pipe pipe) {
    return new File("/proc/self/fd/" + pipe.writer());
  }

  void ended(LatchedProcess process) {
    live.remove(process.dispatch(), process);
  }

  void forget(ProcessGroup group) {
    supervisor.forget(group.id());
    deputy.forget(group.id());
  }

  /** Completes when no process of the dispatch is left; then its folder is removed, too. */
  CompletableFuture<Void> sweep(DispatchId dispatch) {
    CompletableFuture<Void> swept = sweeper.sweep(dispatch);
    var _ =
        swept.thenRunAsync(() -> folders.remove(folders.of(dispatch)), surroundings.background());
    return swept;
  }

  Supervisor supervisor() {
    return supervisor;
  }

  Supervisor deputy() {
    return deputy;
  }

  LeaseWatch leases() {
    return leases;
  }

  OutputPump pump() {
    return pump;
  }

  ProcessSettings settings() {
    return settings;
  }

  ScheduledExecutorService scheduler() {
    return surroundings.scheduler();
  }

  Executor background() {
    return surroundings.background();
  }

  long nanos() {
    return surroundings.ticker().getAsLong();
  }

  long uptime() {
    return surroundings.kernel().uptime().getAsLong();
  }

  long oomKills() {
    return surroundings.kernel().oomKills().getAsLong();
  }

  Instant now() {
    return surroundings.clock().instant();
  }
}
