package dev.belay.engine.gateway;

import dev.belay.domain.id.WorkerId;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.RefusedHellos;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.session.gateway.GatewayCommand;
import dev.belay.session.gateway.HeartbeatRate;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerConnection;
import dev.belay.session.gateway.WorkerEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the commands of one {@link WorkerConnection}. Handles queued events one at a time, in
 * order. A failure of the store closes the stream, and the worker reconnects with all it holds.
 */
public final class WorkerStream {

  private static final Logger log = LoggerFactory.getLogger(WorkerStream.class);
  private static final int GATHERED_MAX = 500;

  private final WorkerConnection connection;
  private final AgentTimes times;
  private final HeartbeatRate heartbeatRate;
  private final LongSupplier ticker;
  private final WorkerStore workers;
  private final ResultBatcher results;
  private final String replica;
  private final RefusedHellos refusedHellos;
  private final Gateway.Outbound out;
  private final Executor executor;
  private final FailureLog trouble;
  private final Runnable onClosed;
  private final Consumer<List<Settlement>> onSettled;
  private final ArrayDeque<Supplier<List<GatewayCommand>>> events = new ArrayDeque<>();

  /** Results from messages that are handled together; offered before any other command. */
  private final List<WorkerEvent> gathered = new ArrayList<>();

  private final AtomicBoolean wakePending = new AtomicBoolean();
  private boolean handling;
  private boolean closed;
  private volatile @Nullable WorkerId worker;

  WorkerStream(
      WorkerConnection connection,
      AgentTimes times,
      HeartbeatRate heartbeatRate,
      LongSupplier ticker,
      WorkerStore workers,
      ResultBatcher results,
      String replica,
      RefusedHellos refusedHellos,
      Gateway.Outbound out,
      Executor executor,
      FailureLog trouble,
      Runnable onClosed) {
    this.connection = connection;
    this.times = times;
    this.heartbeatRate = heartbeatRate;
    this.ticker = ticker;
    this.workers = workers;
    this.results = results;
    this.replica = replica;
    this.refusedHellos = refusedHellos;
    this.out = out;
    this.executor = executor;
    this.trouble = trouble;
    this.onClosed = onClosed;
    this.onSettled = answers -> enqueue(() -> connection.settled(answers));
  }

  /**
   * @param handled called when the message was handled; request the next one only then
   */
  public void received(AgentMessage message, Runnable handled) {
    long arrivedNanos = ticker.getAsLong();
    enqueue(
        () -> {
          if (message.hasHello() && !times.isKnown()) {
            close("the server has just started, come back");
            return List.of();
          }
          if (message.hasHeartbeat() && !heartbeatRate.allows(arrivedNanos)) {
            return connection.heartbeatsTooOften();
          }
          List<GatewayCommand> commands =
              connection.received(message, times.of(message.getSentAtMs(), arrivedNanos));
          handled.run();
          return commands;
        });
  }

  /**
   * @param byPeer the other side closed the connection
   */
  public void closed(boolean byPeer) {
    onClosed.run();
    enqueue(
        () -> {
          closed = true;
          return connection.closed(byPeer);
        });
  }

  void wake() {
    out.look();
    if (wakePending.compareAndSet(false, true)) {
      enqueue(
          () -> {
            wakePending.set(false);
            return connection.wake();
          });
    }
  }

  void deliver(List<MailboxEntry> claimed) {
    enqueue(() -> connection.claimed(claimed));
  }

  void shutdown() {
    enqueue(connection::shutdown);
  }

  boolean isOf(WorkerId id) {
    return id.equals(worker);
  }

  private void enqueue(Supplier<List<GatewayCommand>> event) {
    synchronized (events) {
      events.add(event);
      if (handling) {
        return;
      }
      handling = true;
    }
    executor.execute(this::handle);
  }

  private void handle() {
    while (true) {
      Supplier<List<GatewayCommand>> event;
      synchronized (events) {
        event = events.poll();
        if (event == null && gathered.isEmpty()) {
          handling = false;
          return;
        }
      }
      try {
        if (event == null) {
          offerGathered();
        } else {
          perform(event.get());
        }
      } catch (RuntimeException | Error failed) {
        trouble.met(failed, line -> line.addKeyValue("worker", worker));
        close("the server could not go on, come back");
      }
    }
  }

  private void perform(List<GatewayCommand> commands) {
    for (GatewayCommand command : commands) {
      boolean gathers =
          command instanceof GatewayCommand.Send || command instanceof GatewayCommand.Apply;
      if (!gathers || gathered.size() >= GATHERED_MAX) {
        offerGathered();
      }
      if (command instanceof GatewayCommand.Touch(var peer, var load)
          && !workers.touch(peer, load)) {
        perform(connection.superseded());
        return;
      }
      perform(command);
    }
  }

  private void perform(GatewayCommand command) {
    switch (command) {
      case GatewayCommand.Send send -> {
        if (!closed) {
          out.send(send.message());
        }
      }
      case GatewayCommand.Refuse refuse -> {
        if (!closed) {
          out.send(refuse.message());
        }
        refusedHellos.refused(refuse.worker(), refuse.refused(), out.address());
      }
      case GatewayCommand.Register register -> {
        Registration answer = workers.register(register.hello(), replica);
        trouble.over();
        if (answer instanceof Registration.Accepted) {
          Peer peer = register.hello().peer();
          worker = peer.worker();
          log.atInfo()
              .addKeyValue("worker", peer.worker())
              .addKeyValue("session", peer.session())
              .log("worker said hello");
        }
        perform(connection.registered(answer));
      }
      case GatewayCommand.ReadMailbox read ->
          perform(
              workers
                  .readMailbox(read.peer(), read.assigned())
                  .map(connection::mailbox)
                  .orElseGet(connection::superseded));
      case GatewayCommand.Apply apply -> gathered.addAll(apply.events());
      case GatewayCommand.Rebind rebind ->
          perform(connection.rebound(workers.rebind(rebind.peer(), rebind.bindings())));
      case GatewayCommand.Touch _ -> {} // done before the other commands
      case GatewayCommand.Drain drain -> workers.drain(drain.peer());
      case GatewayCommand.Close close -> close(close.reason());
      case GatewayCommand.MarkDisconnected over ->
          workers.markDisconnected(over.peer(), over.closedByPeer());
    }
  }

  private void offerGathered() {
    if (gathered.isEmpty()) {
      return;
    }
    List<WorkerEvent> offered = List.copyOf(gathered);
    gathered.clear();
    if (!results.offer(offered, onSettled)) {
      close("too many results wait to be written, come back");
    }
  }

  private void close(String reason) {
    if (!closed) {
      out.close(reason);
    }
  }
}
