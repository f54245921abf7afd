package dev.belay.session.lossy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.Talk;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerHello;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows that a session needs, with the guards of the real statements. */
final class Database {
  enum State {
    SCHEDULED,
    DISPATCHED,
    RUNNING,
    DONE
  }

  static final class Task {
    final TaskId id;
    State state = State.SCHEDULED;
    @Nullable DispatchId dispatch;
    @Nullable SessionId session;
    @Nullable String abortReason;

    Task(TaskId id) {
      this.id = id;
    }

    @Override
    public String toString() {
      return "%s %s in %s, abort %s".formatted(state, dispatch, session, abortReason);
    }

    boolean isActive() {
      return state == State.DISPATCHED || state == State.RUNNING;
    }
  }

  final List<Task> tasks = new ArrayList<>();

  /** How each dispatch left the active states. */
  final Map<DispatchId, String> ends = new HashMap<>();

  /** Dispatches whose outcome arrived, whatever the answer. */
  final Set<DispatchId> outcomes = new HashSet<>();

  private final Set<DispatchId> live;

  /** Strict dispatches whose start is committed. */
  final Set<DispatchId> started = new HashSet<>();

  /** Steps after the worker's last sign at which a strict task is given up. */
  static final long GIVEN_UP_AFTER = 80;

  /** Steps after the heartbeat at which the worker has ended it. */
  static final long LEASE = 60;

  private long seenAt;
  private @Nullable Peer registered;
  private long registeredNumber;
  private long dispatches;

  /**
   * @param live dispatches that have an open process now: the ground truth to check against
   */
  Database(int count, Set<DispatchId> live) {
    this.live = live;
    for (int i = 0; i < count; i++) {
      tasks.add(new Task(new TaskId(new UUID(1, i))));
    }
  }

  /** Every second dispatch. */
  static boolean isStrict(DispatchId id) {
    return id.value().getLeastSignificantBits() % 2 == 1;
  }

  /** Whether the heartbeat was written. */
  boolean touch(Peer peer, long now) {
    boolean live = peer.equals(registered);
    if (live) {
      seenAt = now;
    }
    return live;
  }

  /** Gives up strict tasks without a sign for their lease and a margin. */
  void reap(long now) {
    if (now - seenAt < GIVEN_UP_AFTER) {
      return;
    }
    for (var task : tasks) {
      var id = task.dispatch;
      if (task.isActive() && id != null && isStrict(id)) {
        assertThat(live).as("given up while it runs: %s", id).doesNotContain(id);
        end(task, "lost", again(task));
      }
    }
  }

  Registration register(WorkerHello hello, long now) {
    var peer = hello.peer();
    var before = registered;
    if (before != null) {
      boolean older =
          before.session().equals(peer.session())
              ? peer.connection() <= before.connection()
              : hello.sessionNumber() <= registeredNumber;
      if (older) {
        return Registration.Refused.older(peer, 0);
      }
    }
    registered = peer;
    seenAt = now;
    registeredNumber = hello.sessionNumber();
    return new Registration.Accepted();
  }

  @Nullable SessionId session() {
    return registered == null ? null : registered.session();
  }

  /** Null when the peer is not the registered one. */
  @Nullable List<MailboxEntry> mailbox(Peer peer) {
    if (!peer.equals(registered)) {
      return null;
    }
    var entries = new ArrayList<MailboxEntry>();
    for (var task : tasks) {
      if (task.isActive() && task.dispatch != null && task.session != null) {
        var state = MailboxEntry.State.valueOf(task.state.name());
        entries.add(
            new MailboxEntry(
                task.id,
                task.dispatch,
                task.session,
                state,
                task.abortReason,
                Talk.work(isStrict(task.dispatch) ? Talk.STRICT : RunPolicy.DEFAULT)));
      }
    }
    return entries;
  }

  void claim(Task task, SessionId session) {
    if (task.state == State.SCHEDULED) {
      task.state = State.DISPATCHED;
      task.dispatch = new DispatchId(new UUID(2, dispatches++));
      task.session = session;
    }
  }

  List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
    var rebound = new ArrayList<DispatchId>();
    for (var task : tasks) {
      for (var binding : bindings) {
        if (binding.task().equals(task.id)
            && task.state == State.DISPATCHED
            && binding.dispatch().equals(task.dispatch)
            && binding.from().equals(task.session)) {
          task.session = peer.session();
          rebound.add(binding.dispatch());
        }
      }
    }
    return rebound;
  }

  List<Settlement> apply(List<WorkerEvent> events) {
    return events.stream().map(event -> new Settlement(event, apply(event))).toList();
  }

  private Answer apply(WorkerEvent event) {
    var id = event.dispatch();
    if (event instanceof WorkerEvent.Ended ended && ended.outcome() instanceof Outcome.Reported) {
      outcomes.add(id);
    }
    for (var task : tasks) {
      if (task.id.equals(event.task())
          && task.isActive()
          && id.equals(task.dispatch)
          && event.session().equals(task.session)) {
        return apply(event, task);
      }
    }
    return "finished".equals(ends.get(id)) ? Answer.DUPLICATE : Answer.VOID;
  }

  private Answer apply(WorkerEvent event, Task task) {
    return switch (event) {
      case WorkerEvent.Started _ -> {
        if (task.state == State.RUNNING) {
          yield Answer.DUPLICATE;
        }
        task.state = State.RUNNING;
        started.add(event.dispatch());
        yield Answer.APPLIED;
      }
      case WorkerEvent.Ended ended -> apply(ended, task);
    };
  }

  private Answer apply(WorkerEvent.Ended ended, Task task) {
    return switch (ended.outcome()) {
      case Outcome.Exited _,
          Outcome.TimedOut _,
          Outcome.Stalled _,
          Outcome.Aborted _,
          Outcome.StartFailed _ ->
          end(task, "finished", State.DONE);
      case Outcome.Refused _ ->
          task.state == State.DISPATCHED ? end(task, "refused", again(task)) : Answer.VOID;
      case Outcome.Lost _ -> {
        assertThat(live)
            .as("declared lost while it runs: %s", ended)
            .doesNotContain(ended.dispatch());
        yield end(task, "lost", again(task));
      }
    };
  }

  private static State again(Task task) {
    return task.abortReason == null ? State.SCHEDULED : State.DONE;
  }

  Answer end(Task task, String how, State next) {
    if (task.dispatch != null) {
      ends.put(task.dispatch, how);
    }
    task.state = next;
    task.dispatch = null;
    task.session = null;
    return Answer.APPLIED;
  }
}
