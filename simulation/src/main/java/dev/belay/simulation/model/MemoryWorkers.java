package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.WorkerStore;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Workers in memory. */
final class MemoryWorkers implements WorkerStore {

  private static final String CONNECTED = "CONNECTED";
  private static final String DRAINING = "DRAINING";

  private final Tables tables;
  private final Mailboxes mailboxes;

  MemoryWorkers(Tables tables) {
    this.tables = tables;
    this.mailboxes = new Mailboxes(tables);
  }

  @Override
  public Registration register(WorkerHello hello, String replica) {
    var id = hello.peer().worker();
    boolean accepted =
        tables.database.statement(
            statement -> {
              if (!prove(statement, hello)) {
                return false;
              }
              Instant now = statement.now();
              var row = new WorkerRow(id);
              fill(row, hello, replica, now);
              return statement
                  .upsert(
                      tables.worker, id, row, any -> true, next -> fill(next, hello, replica, now))
                  .isPresent();
            });
    return accepted ? new Registration.Accepted() : refused(hello.peer(), hello.key().hash());
  }

  private boolean prove(ModelStatement statement, WorkerHello hello) {
    byte[] hash = hello.key().hash();
    return statement
        .upsert(
            tables.workerKey,
            hello.peer().worker(),
            new KeyRow(hello),
            known -> known.isOf(hash) && !known.revoked && known.isOlder(hello),
            next -> next.fill(hello))
        .isPresent();
  }

  private Registration refused(Peer peer, byte[] hash) {
    KeyRow known =
        tables.database.statement(
            statement -> statement.read(tables.workerKey, peer.worker()).orElseThrow());
    if (!known.isOf(hash)) {
      return Registration.Refused.wrongKey(peer);
    }
    return known.revoked
        ? Registration.Refused.revoked(peer)
        : Registration.Refused.older(peer, known.session.equals(peer.session()) ? 0 : known.number);
  }

  private static void fill(WorkerRow row, WorkerHello hello, String replica, Instant now) {
    row.name = hello.profile().name();
    row.pools = inOrder(hello.profile().offer().pools());
    row.offer = hello.profile().offer();
    row.withheldSlots = 0;
    row.cpuPercent = 0;
    row.gpuPercent = 0;
    row.session = hello.peer().session();
    row.connection = hello.peer().connection();
    row.replica = replica;
    row.state = CONNECTED;
    row.closedByPeer = false;
    row.connectedAt = now;
    row.lastSeenAt = now;
    row.disconnectedAt = null;
    row.heartbeatNumber = 0;
    row.preparing = Set.of();
  }

  /** The order of Set.copyOf varies. */
  private static <T> Set<T> inOrder(Collection<T> all) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(all));
  }

  @Override
  public Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned) {
    return tables.database.statement(
        statement ->
            statement
                .read(tables.worker, peer.worker())
                .filter(worker -> isRegistered(worker, peer))
                .map(worker -> entries(statement, peer, assigned)));
  }

  private static boolean isRegistered(WorkerRow worker, Peer peer) {
    return worker.connection == peer.connection() && peer.session().equals(worker.session);
  }

  private List<MailboxEntry> entries(
      ModelStatement statement, Peer peer, Collection<DispatchId> assigned) {
    List<TaskRow> active =
        statement.rows(
            tables.task, row -> row.state.isActive() && peer.worker().equals(row.worker));
    active.sort(Mailboxes.BEST_FIRST);
    List<MailboxEntry> entries = new ArrayList<>(active.size());
    for (TaskRow task : active) {
      DispatchId dispatch = task.dispatch;
      if (dispatch != null) {
        entries.add(mailboxes.entry(statement, task, !assigned.contains(dispatch)));
      }
    }
    return entries;
  }

  @Override
  public List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
    return tables.database.statement(statement -> rebind(statement, peer, bindings));
  }

  private List<DispatchId> rebind(ModelStatement statement, Peer peer, List<Binding> bindings) {
    boolean live =
        statement.share(tables.worker, peer.worker(), row -> isRegistered(row, peer)).isPresent();
    if (!live) {
      return List.of();
    }
    List<Binding> inOrder = new ArrayList<>(bindings);
    inOrder.sort(Comparator.comparing(Binding::task));
    List<DispatchId> rebound = new ArrayList<>();
    for (Binding binding : inOrder) {
      statement
          .update(
              tables.task,
              binding.task(),
              row -> mayMove(row, peer, binding),
              row -> row.session = peer.session())
          .ifPresent(row -> rebound.add(binding.dispatch()));
    }
    return rebound;
  }

  private boolean mayMove(TaskRow row, Peer peer, Binding binding) {
    boolean from =
        row.state == TaskState.DISPATCHED || (row.state == TaskState.RUNNING && binding.adopted());
    return peer.worker().equals(row.worker)
        && tables.guards.pass(RaceGuard.DISPATCH_ID, binding.dispatch().equals(row.dispatch))
        && tables.guards.pass(RaceGuard.SESSION, binding.from().equals(row.session))
        && tables.guards.pass(RaceGuard.FROM_STATE, from);
  }

  @Override
  public boolean touch(Peer peer, Load load) {
    return update(
        peer,
        row -> isRegistered(row, peer) && row.heartbeatNumber < load.number(),
        (row, now) -> {
          row.lastSeenAt = now;
          row.heartbeatNumber = load.number();
          row.preparing = inOrder(load.preparing());
          row.trouble = load.trouble();
          row.withheldSlots = Math.max(0, row.offer.slots() - load.active() - load.freeSlots());
          row.cpuPercent = (float) load.cpuPercent();
          Double gpu = load.gpuPercent();
          row.gpuPercent = gpu == null ? 0 : gpu.floatValue();
        });
  }

  @Override
  public void drain(Peer peer) {
    update(
        peer,
        row -> isRegistered(row, peer) && row.state.equals(CONNECTED),
        (row, now) -> row.state = DRAINING);
  }

  @Override
  public void markDisconnected(Peer peer, boolean closedByPeer) {
    update(
        peer,
        row ->
            tables.guards.pass(RaceGuard.CLOSED_CONNECTION, isRegistered(row, peer))
                && (row.state.equals(CONNECTED) || row.state.equals(DRAINING)),
        (row, now) -> {
          row.state = "DISCONNECTED";
          row.disconnectedAt = now;
          row.closedByPeer = closedByPeer;
        });
  }

  private boolean update(
      Peer peer, Predicate<WorkerRow> fits, BiConsumer<WorkerRow, Instant> change) {
    return tables.database.statement(
        statement ->
            statement
                .update(
                    tables.worker,
                    peer.worker(),
                    row -> fits.test(row),
                    row -> change.accept(row, statement.now()))
                .isPresent());
  }
}
