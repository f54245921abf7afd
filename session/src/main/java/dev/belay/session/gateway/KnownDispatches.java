package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.wire.AbortWords;
import dev.belay.session.wire.WireId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the agent holds, from its Hello and its later messages, next to the database's view.
 *
 * <p>Each mailbox is read after the previous one was compared. So a dispatch that this connection
 * knows and a mailbox lacks is over for the database: an earlier mailbox had it, or the Hello came
 * before the read.
 */
final class KnownDispatches {
  private final GatewaySettings settings;
  private final Peer peer;
  private final boolean journalComplete;
  private final boolean rebooted;
  private final Map<DispatchId, Tracked> known = new LinkedHashMap<>();
  private final Map<DispatchId, MailboxEntry> rebinding = new LinkedHashMap<>();

  KnownDispatches(GatewaySettings settings, Heard.Hello hello) {
    this.settings = settings;
    this.peer = hello.worker().peer();
    this.journalComplete = hello.journalComplete();
    this.rebooted = hello.rebooted();
    hello
        .held()
        .forEach(
            (id, held) ->
                known.put(
                    id,
                    new Tracked(Known.of(held), peer.session(), WireId.task(held.getTaskId()))));
  }

  /** A dispatch, and what mailboxes show of it. */
  private static final class Tracked {
    Known state;

    /** The session that the database binds it to, as last seen. */
    SessionId session;

    /** From the agent's first message about it, until a mailbox shows it. */
    TaskId task;

    /** Sent, or taken over, on this connection: a mailbox with another session is older. */
    boolean assigned;

    /** True in doubt, because an agent that does not wait for a grant ignores it. */
    boolean wantsGrant = true;

    /** Heartbeats in a row that should list it, and do not. */
    int missing;

    Tracked(Known state, SessionId session, TaskId task) {
      this.state = state;
      this.session = session;
      this.task = task;
    }
  }

  /** Compares the agent's and the database's view and reconciles them. */
  List<GatewayCommand> compare(List<MailboxEntry> entries) {
    var events = new ArrayList<WorkerEvent>();
    var assigns = new ArrayList<Dispatch>();
    var aborts = new ArrayList<GatewayCommand>();
    var bindings = new ArrayList<Binding>();
    // one at a time, so that an answer covers all requested
    boolean mayRebind = rebinding.isEmpty();
    for (var entry : entries) {
      switch (decide(entry)) {
        case LEAVE -> {}
        case ASSIGN -> assign(entry, assigns);
        case AWAIT_START -> sayAgain(entry).ifPresent(events::add);
        case REBIND -> {
          if (mayRebind) {
            rebinding.put(entry.id(), entry);
            bindings.add(new Binding(entry.task(), entry.id(), entry.session(), adopts(entry)));
          }
        }
        case LOST_NOT_REPORTED -> events.add(notReported(entry.id(), learn(entry)));
        case LOST_WORKER_RESTARTED -> events.add(lostWithItsProcess(entry));
      }
      abortIfAsked(entry, aborts);
    }
    var commands = new ArrayList<GatewayCommand>();
    if (!events.isEmpty()) {
      commands.add(new GatewayCommand.Apply(events));
    }
    if (!bindings.isEmpty()) {
      commands.add(new GatewayCommand.Rebind(peer, bindings));
    }
    commands.addAll(ServerMessages.assigns(assigns, settings.limits()));
    commands.addAll(aborts);
    commands.addAll(dropAbsent(entries));
    return commands;
  }

  /**
   * Assigns new entries; concludes nothing about the rest of the mailbox. A claim for another
   * session may be old, and its dispatch bound to this one since: only a mailbox can tell.
   */
  List<GatewayCommand> claimed(List<MailboxEntry> entries) {
    var assigns = new ArrayList<Dispatch>();
    for (var entry : entries) {
      if (entry.session().equals(peer.session()) && decide(entry) == Sync.Decision.ASSIGN) {
        assign(entry, assigns);
      }
    }
    return List.copyOf(ServerMessages.assigns(assigns, settings.limits()));
  }

  private Sync.Decision decide(MailboxEntry entry) {
    var one = known.get(entry.id());
    if (one == null) {
      return Sync.decide(entry, null, peer.session(), journalComplete);
    }
    learnWork(one, entry);
    boolean older = one.assigned && !entry.session().equals(peer.session());
    if (older || !(one.state instanceof Known.Open held)) {
      one.session = older ? peer.session() : entry.session();
      return Sync.Decision.LEAVE;
    }
    var decision = Sync.decide(entry, held, peer.session(), journalComplete);
    boolean again = decision == Sync.Decision.ASSIGN && one.assigned;
    return again ? Sync.Decision.LEAVE : decision;
  }

  /** Repeats a start that the agent reported and that could not be written then. */
  private Optional<WorkerEvent> sayAgain(MailboxEntry entry) {
    var one = learn(entry);
    if (!(one.state instanceof Known.Running running) || running.start() != Known.Start.TOLD) {
      return Optional.empty();
    }
    one.state = running.withStart(Known.Start.SENT);
    return Optional.of(started(entry.id(), one, running.startedAtMs()));
  }

  private Tracked learn(MailboxEntry entry) {
    var one =
        known.computeIfAbsent(
            entry.id(), id -> new Tracked(new Known.Lost(null), entry.session(), entry.task()));
    one.session = entry.session();
    learnWork(one, entry);
    return one;
  }

  /** A mailbox omits the work of dispatches that were assigned before. */
  private static void learnWork(Tracked one, MailboxEntry entry) {
    one.task = entry.task();
    entry.assignment().ifPresent(assignment -> one.wantsGrant = assignment.isStrict());
  }

  private boolean adopts(MailboxEntry entry) {
    var one = known.get(entry.id());
    if (one == null || !one.state.isAdopted()) {
      return false;
    }
    // an outcome that precedes the answer belongs to the old session
    one.session = entry.session();
    return true;
  }

  private void assign(MailboxEntry entry, List<Dispatch> assigns) {
    boolean full = !known.containsKey(entry.id()) && known.size() >= settings.limits().idsMax();
    if (full || entry.assignment().isEmpty()) {
      return; // a later mailbox has it again
    }
    var one = learn(entry);
    one.state = new Known.Preparing(false, false);
    one.session = peer.session();
    one.assigned = true;
    assigns.add(ServerMessages.dispatch(entry, entry.assignment().get(), settings.lease()));
  }

  /**
   * An agent ends what its earlier process left running before it sends a hello. But this proves
   * only the death of what the hello lists as dead: it may be a late hello of an earlier process,
   * which is undetectable when a person removed the worker meanwhile.
   */
  private WorkerEvent lostWithItsProcess(MailboxEntry entry) {
    var one = learn(entry);
    boolean died = one.state instanceof Known.Died;
    boolean ran = died || entry.state() == MailboxEntry.State.RUNNING;
    var kind = rebooted && ran ? RecoveryKind.MACHINE_REBOOTED : RecoveryKind.WORKER_RESTARTED;
    return lost(entry.id(), one, kind, died ? Duration.ZERO : settings.lease().isOverAfter());
  }

  private WorkerEvent notReported(DispatchId id, Tracked one) {
    return lost(id, one, RecoveryKind.NOT_REPORTED, settings.lease().isOverAfter());
  }

  private WorkerEvent lost(DispatchId id, Tracked one, RecoveryKind kind, Duration mayRunOn) {
    one.state = new Known.Lost(one.state instanceof Known.Open held ? held : null);
    return WorkerEvent.Ended.of(
        peer.worker(), one.session, id, one.task, new Outcome.Lost(kind.reason(), mayRunOn));
  }

  /**
   * Assigns an unstarted dispatch with an abort anyway, and aborts it at once: only the agent can
   * confirm that it never ran, with the usual outcome.
   */
  private void abortIfAsked(MailboxEntry entry, List<GatewayCommand> aborts) {
    var one = known.get(entry.id());
    var reason = entry.abortReason();
    if (reason == null
        || one == null
        || !(one.state instanceof Known.Active active)
        || active.abortSent()) {
      return;
    }
    if (one.assigned || entry.session().equals(peer.session())) {
      one.state = active.withAbortSent();
      aborts.add(ServerMessages.abort(entry.id(), reason, settings));
    }
  }

  /** Makes the agent stop or forget dispatches whose outcome is not needed. */
  private List<GatewayCommand> dropAbsent(List<MailboxEntry> entries) {
    var present = new HashSet<DispatchId>();
    entries.forEach(entry -> present.add(entry.id()));
    var voided = new ArrayList<GatewayCommand>();
    var forgotten = new Answers();
    known
        .entrySet()
        .removeIf(
            each -> {
              var id = each.getKey();
              var state = each.getValue().state;
              if (present.contains(id) || state instanceof Known.Ended) {
                return false;
              }
              if (state.isActive()) {
                voided.add(ServerMessages.abort(id, AbortWords.VOID, settings));
              } else if (state.isDead()) {
                forgotten.settle(id, Settlement.Answer.VOID);
              }
              return true;
            });
    voided.addAll(forgotten.commands());
    return voided;
  }

  /**
   * Assigns exactly the dispatches that were bound to this session, in the mailbox's order of
   * priority; a later mailbox covers the others.
   */
  List<GatewayCommand> rebound(Collection<DispatchId> ids) {
    var assigns = new ArrayList<Dispatch>();
    var aborts = new ArrayList<GatewayCommand>();
    var bound = new HashSet<>(ids);
    rebinding.forEach(
        (id, entry) -> {
          if (bound.contains(id)) {
            if (!takenOver(id)) {
              assign(entry, assigns);
            }
            abortIfAsked(entry, aborts);
          }
        });
    rebinding.clear();
    var commands = new ArrayList<GatewayCommand>();
    commands.addAll(ServerMessages.assigns(assigns, settings.limits()));
    commands.addAll(aborts);
    return commands;
  }

  /** The agent already runs it and needs no Assign. */
  private boolean takenOver(DispatchId id) {
    var one = known.get(id);
    if (one == null || !one.state.isAdopted()) {
      return false;
    }
    one.session = peer.session();
    one.assigned = true;
    return true;
  }

  void acked(Collection<DispatchId> ids) {
    for (var id : ids) {
      var one = known.get(id);
      if (one != null) {
        one.state = one.state.withAck();
      }
    }
  }

  /**
   * A dispatch that the agent acknowledged or reported as running is in every later heartbeat of
   * the stream until the agent reports its end. One omission may be a mistake; two are not.
   */
  List<WorkerEvent> reported(Collection<DispatchId> active) {
    var present = new HashSet<>(active);
    var events = new ArrayList<WorkerEvent>();
    known.forEach(
        (id, one) -> {
          one.missing = isExpected(one) && !present.contains(id) ? one.missing + 1 : 0;
          if (one.missing == settings.limits().missedHeartbeats()) {
            one.missing = 0;
            events.add(notReported(id, one));
          }
        });
    return events;
  }

  private boolean isExpected(Tracked one) {
    boolean said =
        switch (one.state) {
          case Known.Preparing preparing -> preparing.acked();
          case Known.Running _ -> true;
          case Known.Died _, Known.Ended _, Known.Lost _, Known.Settled _ -> false;
        };
    return said && one.session.equals(peer.session());
  }

  /** The start, unless it was already applied. */
  List<WorkerEvent> started(Heard.Started start) {
    var one = heardOf(start.dispatch(), start.task());
    boolean before = one.state.start().isSent() || one.state instanceof Known.Settled;
    if (before) {
      return List.of();
    }
    one.state = one.state.started(start.atMs());
    return List.of(started(start.dispatch(), one, start.atMs()));
  }

  WorkerEvent ended(Heard.Ended ended) {
    var one = heardOf(ended.dispatch(), ended.task());
    one.state = one.state.ended();
    return new WorkerEvent.Ended(
        peer.worker(),
        one.session,
        ended.dispatch(),
        one.task,
        one.state.start().isSent(),
        ended.outcome(),
        ended.execution());
  }

  private WorkerEvent started(DispatchId id, Tracked one, long atMs) {
    return new WorkerEvent.Started(peer.worker(), one.session, id, one.task, atMs);
  }

  /**
   * Tracks unknown dispatches too: the database answers void.
   *
   * @param task as the agent names it; counts only for an unknown dispatch
   */
  private Tracked heardOf(DispatchId id, TaskId task) {
    return known.computeIfAbsent(
        id, any -> new Tracked(new Known.Preparing(false, false), peer.session(), task));
  }

  /**
   * Answers outcomes and refusals; a loss, if the agent holds the dispatch; and a committed start,
   * if the dispatch is strict.
   *
   * @param reading a mailbox is being read, which may be older than these
   */
  List<GatewayCommand> settled(List<Settlement> settlements, boolean reading) {
    var answers = new Answers();
    for (var settlement : settlements) {
      var id = settlement.event().dispatch();
      var one = known.get(id);
      switch (settlement.event()) {
        case WorkerEvent.Started _ -> {
          boolean written = settlement.answer() != Settlement.Answer.VOID;
          if (one != null) {
            one.state = one.state.withStart(written ? Known.Start.WRITTEN : Known.Start.TOLD);
            if (written && one.wantsGrant && one.state instanceof Known.Active) {
              answers.grant(id);
            }
          }
        }
        case WorkerEvent.Ended ended when ended.outcome() instanceof Outcome.Lost ->
            settledLoss(settlement, one, answers);
        case WorkerEvent.Ended ended
            when ended.outcome() instanceof Outcome.Reported && missedByAdoption(settlement, one) ->
            answers.applyAgain(ended.in(peer.session()));
        case WorkerEvent.Ended _ -> {
          answers.settle(id, settlement.answer());
          if (reading || settlement.answer() == Settlement.Answer.VOID) {
            markSettled(one);
          } else {
            // Its attempt is over, and no mailbox read from now on has it.
            known.remove(id);
          }
        }
      }
    }
    return answers.commands();
  }

  /** After a void loss it is over, or bound to another session: the next mailbox shows which. */
  private void settledLoss(Settlement settlement, @Nullable Tracked one, Answers answers) {
    var id = settlement.event().dispatch();
    if (settlement.answer() != Settlement.Answer.VOID) {
      if (one != null && one.state.isDead()) {
        answers.settle(id, Settlement.Answer.VOID);
      }
      markSettled(one);
    } else if (one != null && one.state instanceof Known.Lost(var was)) {
      if (was == null) {
        known.remove(id);
      } else {
        one.state = was;
      }
    }
  }

  /** The agent reported the outcome under the old session, during the takeover. */
  private boolean missedByAdoption(Settlement settlement, @Nullable Tracked one) {
    return settlement.answer() == Settlement.Answer.VOID
        && one != null
        && one.state.isAdopted()
        && !settlement.event().session().equals(peer.session());
  }

  private static void markSettled(@Nullable Tracked one) {
    if (one != null) {
      one.state = one.state.settled();
    }
  }

  /** The agent reported their start or end, which the database does not have yet. */
  List<DispatchId> unwritten() {
    return known.entrySet().stream()
        .filter(each -> each.getValue().state.isUnwritten())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Sent on this connection, and never again on it. */
  List<DispatchId> assigned() {
    return known.entrySet().stream()
        .filter(each -> each.getValue().assigned)
        .map(Map.Entry::getKey)
        .toList();
  }

  int size() {
    return known.size();
  }
}
