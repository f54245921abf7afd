package dev.belay.agent.link;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Latched;
import dev.belay.agent.execute.TaskExecutor;
import dev.belay.agent.journal.Journal;
import dev.belay.agent.state.AgentFolder;
import dev.belay.agent.state.Reserve;
import dev.belay.agent.wiring.Machine;
import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.JournalEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the session: it handles events and executes their commands.
 *
 * <p>An unwritable journal stops only new work: the agent refuses beginnings that it cannot record;
 * it still reports ends, and records them later. Any other failure here is a bug of the agent: it
 * can keep no promise any more, so it ignores all later events and gives up.
 */
public final class SessionLoop {

  private static final Logger log = LoggerFactory.getLogger(SessionLoop.class);

  /** A quiet loop skips so many ticks between two; any event ends that. */
  private static final int TICKS_AT_REST = 4;

  private final AgentSession session;
  private final AgentFolder folder;
  private final LoopJournal journal;
  private final DiskProbe probe;
  private final GpuLoad gpuLoad;
  private final Unrecorded denial;
  private final Servers servers;
  private final LogStream logs;
  private final LinkSettings settings;
  private final Threads threads;
  private final Machine machine;
  private final Tasks tasks;
  private final Outage outage;
  private final CpuLoad cpuLoad;
  private final Outgoing outgoing;

  /** Ended before their latch opened: they never ran. The journal has them as prepared. */
  private final Set<DispatchId> abandoned = new HashSet<>();

  private final CompletableFuture<String> gaveUp = new CompletableFuture<>();
  private final CompletableFuture<Void> settled = new CompletableFuture<>();
  private final AtomicBoolean tickPosted = new AtomicBoolean();
  private final ArrayDeque<Runnable> events = new ArrayDeque<>();

  /** The commands of all events since the last flush, in order. */
  private final List<AgentCommand> pending = new ArrayList<>();

  private boolean handling;
  private @Nullable SessionStream stream;
  private double cpuPercent;
  private boolean draining;
  private boolean stopped;
  private volatile boolean atRest;
  private int rested;

  public SessionLoop(
      AgentSession session,
      AgentFolder folder,
      Journal journal,
      TaskExecutor executor,
      Servers servers,
      LogStream logs,
      LinkSettings settings,
      GpuSettings gpu,
      Threads threads,
      Machine machine,
      Reserve reserve) {
    this.session = session;
    this.folder = folder;
    this.journal = new LoopJournal(journal);
    this.servers = servers;
    this.logs = logs;
    this.settings = settings;
    this.threads = threads;
    this.machine = machine;
    this.cpuLoad = new CpuLoad(machine.cpuPercent());
    this.outgoing =
        new Outgoing(
            machine.clock(), settings.startsHeldFor(), threads, () -> post(this::sendHeldStarts));
    this.outage = new Outage(servers.count());
    this.tasks = new Tasks(executor, this::post, new TaskEvents());
    this.probe = new DiskProbe(reserve, threads, trouble -> post(() -> looked(trouble)));
    this.gpuLoad =
        new GpuLoad(gpu, threads, machine.ticker(), load -> post(() -> session.gpuPercent(load)));
    this.denial = new Unrecorded(session, reserve, machine.clock(), this::abandon);
  }

  public void start() {
    post(() -> perform(session.start()));
    var nanos = settings.tickInterval().toNanos();
    var _ =
        threads.timers().scheduleWithFixedDelay(this::postTick, nanos, nanos, TimeUnit.NANOSECONDS);
    probe.start(settings.probeInterval());
    gpuLoad.start();
  }

  /** Completes with a reason for people when this agent can do no more work. */
  public CompletableFuture<String> gaveUp() {
    return gaveUp;
  }

  /** This machine can run no task. */
  public void giveUp(String reason) {
    post(
        () -> {
          flush();
          hangUp(reason);
          log.atError().addKeyValue("reason", reason).log("this worker gives up");
          gaveUp.complete(reason);
        });
  }

  /** Takes no more work and ends all tasks. Completes once the server has settled all of them. */
  public CompletableFuture<Void> drain(String reason, Duration grace) {
    post(
        () -> {
          flush(); // Tasks must know the dispatches that were just taken, to end them.
          draining = true;
          perform(session.drain());
          tasks.preparing().forEach(id -> stopPreparing(id, reason));
          tasks.terminateMade(reason, grace);
        });
    return settled.copy();
  }

  /** Completes after all earlier events; the loop ignores later ones. */
  public CompletableFuture<Void> stop() {
    gpuLoad.close();
    var done = new CompletableFuture<Void>();
    enqueue(
        () -> {
          if (!stopped) {
            attempt(this::flush);
          }
          stopped = true;
          if (stream != null) {
            stream.complete();
            stream = null;
          }
          logs.disconnected();
          done.complete(null);
        });
    return done;
  }

  // ---- events ----

  private void post(Runnable event) {
    atRest = false;
    enqueue(
        () -> {
          if (!stopped) {
            attempt(event);
          }
        });
  }

  private void enqueue(Runnable event) {
    synchronized (events) {
      events.add(event);
      if (handling) {
        return;
      }
      handling = true;
    }
    try {
      threads.loop().execute(this::handle);
    } catch (RejectedExecutionException closed) {
      log.atDebug().log("event after the end");
    }
  }

  /**
   * Handles the events that have gathered. The commands of many events share one write of the
   * journal: a busy agent writes rarely, and an idle one does not wait.
   */
  private void handle() {
    while (true) {
      for (int handled = 0; handled < settings.eventsMax(); handled++) {
        Runnable event;
        synchronized (events) {
          event = events.poll();
        }
        if (event == null) {
          break;
        }
        event.run();
      }
      if (!stopped) {
        attempt(
            () -> {
              flush();
              if (draining && tasks.isEmpty() && (gaveUp.isDone() || session.isIdle())) {
                settled.complete(null);
              }
            });
      }
      synchronized (events) {
        if (events.isEmpty()) {
          handling = false;
          return;
        }
      }
    }
  }

  private void attempt(Runnable act) {
    try {
      act.run();
    } catch (RuntimeException | Error e) {
      stopped = true;
      log.atError().setCause(e).log("agent failed");
      gaveUp.complete("the agent failed: " + e);
      settled.complete(null);
    }
  }

  private void looked(String trouble) {
    session.trouble(trouble);
    journal.catchUp();
  }

  private void postTick() {
    var cpu = cpuLoad.percent();
    if (atRest && rested++ < TICKS_AT_REST) {
      return;
    }
    rested = 0;
    // Ticks must not pile up before a slow loop.
    if (tickPosted.compareAndSet(false, true)) {
      post(
          () -> {
            tickPosted.set(false);
            cpuPercent = cpu;
            tick();
          });
    }
  }

  private void tick() {
    perform(session.tick(machine.kernel().uptime().getAsLong(), cpuPercent));
    atRest = session.isAtRest();
  }

  private void connect() {
    flush();
    outgoing.forget();
    try {
      stream = SessionStream.open(servers.next(), settings.unhandledMax(), new StreamEvents());
    } catch (IOException | RuntimeException e) {
      // The token's text may also be malformed. A corrected token needs no restart.
      outage.met("no connection can be made; is the join token readable and well-formed?", e);
      perform(session.disconnected());
      return;
    }
    perform(session.connected());
  }

  private void received(SessionStream from, ServerMessage message) {
    if (from != stream) {
      return;
    }
    if (message.hasReject() && !message.getReject().getPermanent()) {
      outage.refused(message.getReject().getReason());
    }
    outgoing.received(message);
    perform(session.received(message));
    if (message.hasWelcome() && from == stream) {
      outage.over();
      log.atInfo()
          .addKeyValue("server", from.server().address())
          .addKeyValue("replica", message.getWelcome().getReplica())
          .log("connected");
      logs.connected(from.server().gateway());
      // The first heartbeat reports the free slots.
      tick();
    }
    if (from == stream) {
      from.handled();
    }
  }

  private void disconnected(SessionStream from, Optional<Throwable> error) {
    flush();
    if (from != stream) {
      return;
    }
    stream = null;
    logs.disconnected();
    if (Outage.isTokenRefused(error)) {
      tokenRefused(from);
    } else {
      outage.met("no connection to the server " + from.server().address(), error.orElse(null));
    }
    perform(session.disconnected());
  }

  private void tokenRefused(SessionStream from) {
    outage
        .tokenRefused(from.server().address(), servers.joinTokenFile())
        .ifPresent(
            reason -> {
              log.atError().addKeyValue("reason", reason).log("this worker gives up");
              gaveUp.complete(reason);
            });
  }

  /**
   * Reports it as aborted if the server is listening. Otherwise the journal has it as prepared, so
   * it can run elsewhere.
   */
  private void stopPreparing(DispatchId id, String reason) {
    if (session.isStopped(id)) {
      return;
    }
    var abort = Abort.newBuilder().setDispatchId(id.toString()).setReason(reason);
    var commands = session.received(ServerMessage.newBuilder().setAbort(abort).build());
    if (commands.isEmpty()) {
      abandon(id, reason);
    }
    perform(commands);
  }

  private void ended(Ended ended) {
    var id = ended.dispatch();
    if (abandoned.remove(id)) {
      tasks.remove(id);
      return;
    }
    var finished = ended.toFinished();
    var shipped = logs.shipper().shipped(id);
    if (shipped.isDone()) {
      finished(id, finished);
      return;
    }
    // The outcome is known now: a crash while its log is in transit must not lose it.
    flush();
    journal.note(new JournalEntry.Ended(finished));
    var _ = shipped.thenRun(() -> post(() -> finished(id, finished)));
  }

  private void finished(DispatchId id, Finished finished) {
    tasks.remove(id);
    perform(session.ended(finished));
  }

  // ---- commands ----

  private void perform(List<AgentCommand> commands) {
    pending.addAll(commands);
  }

  /**
   * Writes all journal entries, then executes all commands: no command runs before the entries in
   * front of it are written. Call it before the stream changes, because the messages belong to the
   * old one.
   */
  private void flush() {
    var commands = List.copyOf(pending);
    var unrecorded = journal.append(commands);
    if (!unrecorded.isEmpty()) {
      commands = denial.deny(unrecorded, commands);
    }
    pending.clear();
    for (var command : commands) {
      act(command);
    }
    outgoing.sendGathered(stream);
  }

  private void abandon(DispatchId id, String reason) {
    if (tasks.has(id)) {
      abandoned.add(id);
      tasks.stop(new AgentCommand.Stop(id, reason, Duration.ZERO));
    }
  }

  private void act(AgentCommand command) {
    switch (command) {
      case AgentCommand.Send(var message) -> {
        if (stream != null) {
          outgoing.send(stream, message);
        }
      }
      case AgentCommand.Persist _ -> {}
      case AgentCommand.Prepare(var dispatch) -> tasks.prepare(dispatch);
      case AgentCommand.Lease(var untilNanos) -> tasks.lease(untilNanos);
      case AgentCommand.Open(var id) -> tasks.open(id, machine.clock().instant());
      case AgentCommand.Stop stop -> tasks.stop(stop);
      case AgentCommand.Forget(var id) -> logs.shipper().settled(id);
      case AgentCommand.ConnectAfter(var delay) -> connectAfter(delay);
      case AgentCommand.Disconnect(var reason) -> disconnect(reason);
      case AgentCommand.Renumber(var number) -> renumber(number);
      case AgentCommand.GiveUp(var reason) -> rejected(reason);
    }
  }

  private void sendHeldStarts() {
    flush();
    outgoing.sendStarts(stream);
  }

  private void connectAfter(Duration delay) {
    var _ =
        threads.timers().schedule(() -> post(this::connect), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ignores the old stream from here on, so the session learns of its end at once. */
  private void disconnect(String reason) {
    hangUp(reason);
    post(() -> perform(session.disconnected()));
  }

  private void renumber(long number) {
    try {
      folder.sessionNumber(number);
    } catch (IOException e) {
      // This process uses the number anyway; the server sends it to the next one again.
      log.atWarn().addKeyValue("cause", e).log("the session number cannot be kept");
    }
    log.atInfo().addKeyValue("number", number).log("the server has counted more processes");
  }

  private void rejected(String reason) {
    hangUp(reason);
    log.atError().addKeyValue("reason", reason).log("the server will not take this worker");
    gaveUp.complete(reason);
  }

  private void hangUp(String reason) {
    if (stream != null) {
      outage.met("hung up on " + stream.server().address(), new IOException(reason));
      stream.cancel(reason);
      stream = null;
    }
    logs.disconnected();
  }

  private final class StreamEvents implements SessionStream.Listener {
    @Override
    public void received(SessionStream from, ServerMessage message) {
      post(() -> SessionLoop.this.received(from, message));
    }

    @Override
    public void ended(SessionStream from, Optional<Throwable> error) {
      post(() -> disconnected(from, error));
    }
  }

  private final class TaskEvents implements Tasks.Listener {
    @Override
    public void prepared(Latched process) {
      perform(session.prepared(process.dispatch(), process.pid(), machine.clock().millis()));
    }

    @Override
    public void prepareFailed(DispatchId id, String message) {
      perform(session.prepareFailed(id, message, machine.clock().millis()));
    }

    @Override
    public void prepareRefused(DispatchId id, String reason) {
      perform(session.prepareRefused(id, reason, machine.clock().millis()));
    }

    @Override
    public void ended(Ended ended) {
      SessionLoop.this.ended(ended);
    }
  }
}
