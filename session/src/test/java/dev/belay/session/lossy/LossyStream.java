package dev.belay.session.lossy;

import dev.belay.domain.reap.Lease;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.gateway.GatewayCommand;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** One stream: two queues, the server's end, and its overlapping calls to the database. */
final class LossyStream {
  private static final GatewaySettings SETTINGS =
      new GatewaySettings(
          "replica",
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          GatewaySettings.Limits.DEFAULT,
          new Lease(
              Duration.ofMillis(Database.LEASE * Worker.MS_PER_STEP + 50), Duration.ofMillis(50)));

  /** A dead stream is noticed late, as when a peer vanishes without closing. */
  private static final int NOTICE_ODDS = 8;

  private final Database database;
  private final Random random;
  private final LongSupplier clock;
  private final WorkerConnection connection = new WorkerConnection(SETTINGS);

  final Deque<AgentMessage> toServer = new ArrayDeque<>();
  final Deque<ServerMessage> toAgent = new ArrayDeque<>();

  /** Each runs twice: to commit or read, and later to deliver its answer. */
  final List<Call> calls = new ArrayList<>();

  /** The agent's end closed; the server notices after the messages in flight. */
  boolean cut;

  /** The server closed it; the agent notices after the messages in flight. */
  boolean closedByServer;

  /** The server's end does nothing before this step, as in a long pause of its process. */
  int frozenUntil;

  private boolean over;

  LossyStream(Database database, Random random, LongSupplier clock) {
    this.database = database;
    this.random = random;
    this.clock = clock;
  }

  /** A call to the database whose answer arrives later than its commit. */
  static final class Call {
    private final Supplier<Supplier<List<GatewayCommand>>> commit;
    private Supplier<List<GatewayCommand>> answer = List::of;
    private boolean committed;

    Call(Supplier<Supplier<List<GatewayCommand>>> commit) {
      this.commit = commit;
    }
  }

  void cut() {
    cut = true;
    toAgent.clear();
    int lost = random.nextInt(toServer.size() + 1);
    for (int i = 0; i < lost; i++) {
      toServer.removeLast();
    }
  }

  boolean isOver() {
    return over && calls.isEmpty();
  }

  void wake() {
    run(connection.wake());
  }

  void shutdown() {
    run(connection.shutdown());
  }

  /** Delivers the next message to the server, or the end of the stream. */
  void serverStep() {
    var message = toServer.poll();
    if (message != null && !closedByServer) {
      run(connection.received(message));
    } else if (message == null && cut && !over && random.nextInt(NOTICE_ODDS) == 0) {
      over = true;
      run(connection.closed(true));
    }
  }

  void step(Call call) {
    if (!call.committed) {
      call.committed = true;
      call.answer = call.commit.get();
    } else {
      calls.remove(call);
      run(call.answer.get());
    }
  }

  private void run(List<GatewayCommand> commands) {
    for (var command : commands) {
      if (command instanceof GatewayCommand.Touch(var peer, var _)
          && !database.touch(peer, clock.getAsLong())) {
        run(connection.superseded());
        return;
      }
      switch (command) {
        case GatewayCommand.Send(var message) -> {
          if (!cut) {
            toAgent.add(message);
          }
        }
        case GatewayCommand.Refuse refuse -> {
          if (!cut) {
            toAgent.add(refuse.message());
          }
        }
        case GatewayCommand.Register(var hello) ->
            call(
                () -> {
                  Registration answer = database.register(hello, clock.getAsLong());
                  return () -> connection.registered(answer);
                });
        case GatewayCommand.ReadMailbox(var peer, var _) ->
            call(
                () -> {
                  var entries = database.mailbox(peer);
                  return () ->
                      entries == null ? connection.superseded() : connection.mailbox(entries);
                });
        case GatewayCommand.Apply(var events) ->
            call(
                () -> {
                  var answers = database.apply(events);
                  return () -> connection.settled(answers);
                });
        case GatewayCommand.Rebind(var peer, var bindings) ->
            call(
                () -> {
                  var rebound = database.rebind(peer, bindings);
                  return () -> connection.rebound(rebound);
                });
        case GatewayCommand.Close _ -> closedByServer = true;
        case GatewayCommand.Touch _, GatewayCommand.Drain _, GatewayCommand.MarkDisconnected _ -> {}
      }
    }
  }

  private void call(Supplier<Supplier<List<GatewayCommand>>> commit) {
    calls.add(new Call(commit));
  }
}
