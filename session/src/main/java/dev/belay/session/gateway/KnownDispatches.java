package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.wire.AbortWords;
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
 * What the agent holds, by its Hello and all that was said since, beside what the database says.
 *
 * <p>Each mailbox is read after the one before was compared, so an entry that this connection knows
 * and a mailbox lacks is over for the database: it was there, or the Hello came before the read.
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
    hello.held().forEach((id, held) -> known.put(id, new Tracked(Known.of(held), peer.session())));
  }

  /** A dispatch, and what mailboxes told of it. */
  private static final class Tracked {
    Known state;

    /** The session that the database binds it to, as far as it was seen. */
    SessionId session;

    /** Null as long as no mailbox told it. */
    @Nullable TaskId task;

    /** Sent, or taken over, on this connection: a mailbox with another session is older. */
    boolean assigned;

    /** An agent that does not wait for a grant ignores it: in doubt it is sent. */
    boolean wantsGrant = true;

    /** Heartbeats in a row that should name it, and do not. */
    int missing;

    Tracked(Known state, SessionId session) {
      this.state = state;
      this.session = session;
    }
  }

  /** Compares and brings both sides together. */
  List<GatewayCommand> compare(List<MailboxEntry> entries) {
    var events = new ArrayList<WorkerEvent>();
    var assigns = new ArrayList<Dispatch>();
    var aborts = new ArrayList<GatewayCommand>();
    var bindings = new ArrayList<Binding>();
    // one at a time: an answer then speaks of all that was asked
    boolean mayRebind = rebinding.isEmpty();
    for (var entry : entries) {
      switch (decide(entry)) {
        case LEAVE -> {}
        case ASSIGN -> assign(entry, assigns);
        case AWAIT_START -> sayAgain(entry).ifPresent(events::add);
        case REBIND -> {
          if (mayRebind) {
            rebinding.put(entry.id(), entry);
            bindings.add(new Binding(entry.id(), entry.session(), adopts(entry)));
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

  /** Assigns what is new; says nothing of what else the mailbox holds. */
  List<GatewayCommand> claimed(List<MailboxEntry> entries) {
    var assigns = new ArrayList<Dispatch>();
    for (var entry : entries) {
      if (decide(entry) == Sync.Decision.ASSIGN) {
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
    learnStrictness(one, entry);
    boolean older = one.assigned && !entry.session().equals(peer.session());
    if (older || !(one.state instanceof Known.Open held)) {
      one.session = older ? peer.session() : entry.session();
      return Sync.Decision.LEAVE;
    }
    var decision = Sync.decide(entry, held, peer.session(), journalComplete);
    boolean again = decision == Sync.Decision.ASSIGN && one.assigned;
    return again ? Sync.Decision.LEAVE : decision;
  }

  /** A start that was told here, and could not be written then. */
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
        known.computeIfAbsent(entry.id(), id -> new Tracked(new Known.Lost(null), entry.session()));
    one.session = entry.session();
    one.task = entry.task();
    learnStrictness(one, entry);
    return one;
  }

  /** A mailbox leaves out what there is to do for those that were assigned before. */
  private static void learnStrictness(Tracked one, MailboxEntry entry) {
    entry.assignment().ifPresent(assignment -> one.wantsGrant = assignment.isStrict());
  }

  private boolean adopts(MailboxEntry entry) {
    var one = known.get(entry.id());
    if (one == null || !one.state.isAdopted()) {
      return false;
    }
    // an outcome that comes before the answer is of the old session
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
   * The agent ends what an earlier process of it left running before it says hello. But that is
   * proof only of what it names as dead: the hello may be an old one of an earlier process, which
   * nothing tells when somebody has removed the worker meanwhile.
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
        peer.worker(), one.session, id, new Outcome.Lost(kind.reason(), mayRunOn));
  }

  /**
   * A dispatch with an abort that nobody has started yet is assigned all the same, and aborted at
   * once: the agent alone can say that it never ran, and it says so by the usual outcome.
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

  /** Nobody waits for these: the agent stops or forgets them. */
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
   * Assigns exactly what was bound to this session, in the order of the mailbox, which is by
   * priority; a later mailbox tells about the others.
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

  /** The agent runs it already, and need not be told. */
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
   * What the agent acknowledged, or said to run, is in each later heartbeat of the same stream
   * until its end was said on that stream, too. One heartbeat may be a mistake; two are none.
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

  /** The start, unless it was applied already. */
  List<WorkerEvent> started(DispatchId id, long atMs) {
    var one = heardOf(id);
    boolean before = one.state.start().isSent() || one.state instanceof Known.Settled;
    if (before) {
      return List.of();
    }
    one.state = one.state.started(atMs);
    return List.of(started(id, one, atMs));
  }

  WorkerEvent ended(Heard.Ended ended) {
    var one = heardOf(ended.dispatch());
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

  /** Also what this connection does not know: the database answers that it is void. */
  private Tracked heardOf(DispatchId id) {
    return known.computeIfAbsent(
        id, any -> new Tracked(new Known.Preparing(false, false), peer.session()));
  }

  /**
   * Outcomes and refusals are answered; so is a loss, if the agent keeps the dispatch for it; and a
   * start, if the dispatch is strict and it is committed.
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

  /** A void loss is over, or bound to another old session meanwhile: the next mailbox tells. */
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

  /** The outcome was said under the old session while this one took the dispatch over. */
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

  /**
   * The agent spoke of their start or end, and that is not written yet: for the database they look
   * as if nobody had begun them.
   */
  List<DispatchId> unwritten() {
    return known.entrySet().stream()
        .filter(each -> each.getValue().state.isUnwritten())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Sent on this connection; nothing makes it send them again. */
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
