package dev.belay.store.worker;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.WorkerStore;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.recovery.Alerts;
import dev.belay.workflow.JsonValues;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/** Workers on PostgreSQL. */
public final class PostgresWorkers implements WorkerStore {

  /** The kind of alert that a worker's trouble raises. */
  public static final String TROUBLE = "worker_in_trouble";

  private final Jdbi jdbi;
  private final KeyRows keys;
  private final Meters meters;

  public PostgresWorkers(Jdbi jdbi, Meters meters) {
    this.jdbi = jdbi;
    this.keys = new KeyRows(jdbi);
    this.meters = meters;
  }

  @Override
  public Registration register(WorkerHello hello, String replica) {
    Peer peer = hello.peer();
    WorkerHello.Profile profile = hello.profile();
    Offer offer = profile.offer();
    byte[] hash = hello.key().hash();
    boolean accepted =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("worker/register_worker"))
                    .bind("id", peer.worker().value())
                    .bind("key_hash", hash)
                    .bind("session_number", hello.sessionNumber())
                    .bind("name", profile.name())
                    .bindArray("pools", String.class, offer.pools())
                    .bind("slots", offer.slots())
                    .bind("labels", JsonValues.write(offer.labels()))
                    .bindArray("capabilities", String.class, List.copyOf(offer.capabilities()))
                    .bind("memory_bytes", offer.resources().memoryBytes())
                    .bind("cpu_millis", offer.resources().cpuMillis())
                    .bind("version", profile.version())
                    .bind("platform", profile.platform())
                    .bind("session", peer.session().value())
                    .bind("connection", peer.connection())
                    .bind("replica", replica)
                    .bind("started_at_ms", hello.startedAtMs())
                    .mapTo(UUID.class)
                    .findOne()
                    .isPresent());
    return accepted ? new Registration.Accepted() : refused(peer, hash);
  }

  /** Why the statement wrote nothing; if the cause is over by now, the worker may retry. */
  private Registration refused(Peer peer, byte[] hash) {
    return keys.find(peer.worker())
        .map(
            known -> {
              if (!known.isOf(hash)) {
                return Registration.Refused.wrongKey(peer);
              }
              return known.revoked()
                  ? Registration.Refused.revoked(peer)
                  : Registration.Refused.older(peer, known.numberBefore(peer.session()));
            })
        .orElseGet(() -> Registration.Refused.older(peer, 0));
  }

  @Override
  public Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned) {
    List<Optional<MailboxEntry>> rows =
        jdbi.withHandle(
            handle ->
                bind(handle.createQuery(Sql.named("worker/read_mailbox")), peer)
                    .bindArray(
                        "assigned", UUID.class, assigned.stream().map(DispatchId::value).toList())
                    .map((row, context) -> MailboxRows.entry(row))
                    .list());
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(rows.stream().flatMap(Optional::stream).toList());
  }

  @Override
  public List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
    return jdbi.inTransaction(
        handle -> {
          var query = bind(handle.createQuery(Sql.named("worker/rebind_tasks")), peer);
          Unnest.bind(query, "tasks", UUID.class, bindings, b -> b.task().value());
          Unnest.bind(query, "dispatches", UUID.class, bindings, b -> b.dispatch().value());
          Unnest.bind(query, "from_sessions", UUID.class, bindings, b -> b.from().value());
          Unnest.bind(query, "adopted", Boolean.class, bindings, Binding::adopted);
          return query
              .map((row, context) -> new DispatchId(row.getObject("dispatch_id", UUID.class)))
              .list();
        });
  }

  @Override
  public boolean touch(Peer peer, Load load) {
    if (load.trouble().isEmpty()) {
      return jdbi.withHandle(handle -> touch(handle, peer, load)).isPresent();
    }
    return jdbi.inTransaction(
        handle -> {
          // Locks the worker's row, so replicas raise its alerts one after the other.
          Optional<String> name = touch(handle, peer, load);
          name.ifPresent(known -> alert(handle, peer, "worker " + known + ": " + load.trouble()));
          return name.isPresent();
        });
  }

  /** The worker's name; empty when the peer is no longer its registered connection. */
  private static Optional<String> touch(Handle handle, Peer peer, Load load) {
    return bind(handle.createQuery(Sql.named("worker/touch_worker")), peer)
        .bind("number", load.number())
        .bindArray(
            "preparing", UUID.class, load.preparing().stream().map(DispatchId::value).toList())
        .bind("active", load.active())
        .bind("free_slots", load.freeSlots())
        .bind("cpu_percent", load.cpuPercent())
        .bind("gpu_percent", load.gpuPercent())
        .bind("trouble", load.trouble())
        .mapTo(String.class)
        .findOne();
  }

  private void alert(Handle handle, Peer peer, String detail) {
    if (Alerts.raiseAbout(handle, TROUBLE, detail, "(id " + peer.worker() + ")")) {
      meters.alerted(TROUBLE, 1);
    }
  }

  @Override
  public void drain(Peer peer) {
    jdbi.useHandle(
        handle -> bind(handle.createUpdate(Sql.named("worker/drain_worker")), peer).execute());
  }

  @Override
  public void markDisconnected(Peer peer, boolean closedByPeer) {
    jdbi.useHandle(
        handle ->
            bind(handle.createUpdate(Sql.named("worker/disconnect_worker")), peer)
                .bind("closed_by_peer", closedByPeer)
                .execute());
  }

  private static <S extends SqlStatement<S>> S bind(S statement, Peer peer) {
    return statement
        .bind("worker", peer.worker().value())
        .bind("session", peer.session().value())
        .bind("connection", peer.connection());
  }
}
