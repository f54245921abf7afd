package dev.belay.store.worker;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.spec.Work;
import dev.belay.engine.port.WorkerStore;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.store.Arrays;
import dev.belay.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatement;

/** Workers on PostgreSQL. */
public final class PostgresWorkers implements WorkerStore {

  private final Jdbi jdbi;
  private final Function<String, Work> decodeWork;
  private final Function<Map<String, String>, String> encodeLabels;

  public PostgresWorkers(
      Jdbi jdbi,
      Function<String, Work> decodeWork,
      Function<Map<String, String>, String> encodeLabels) {
    this.jdbi = jdbi;
    this.decodeWork = decodeWork;
    this.encodeLabels = encodeLabels;
  }

  @Override
  public Registration register(Peer peer, Hello hello, String replica) {
    boolean accepted =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("worker/register_worker"))
                    .bind("id", peer.worker().value())
                    .bind("name", hello.getName())
                    .bindArray("pools", String.class, List.copyOf(hello.getPoolsList()))
                    .bind("slots", hello.getSlots())
                    .bind("labels", encodeLabels.apply(hello.getLabelsMap()))
                    .bind("version", hello.getVersion())
                    .bind("platform", hello.getPlatform())
                    .bind("session", peer.session().value())
                    .bind("connection", peer.connection())
                    .bind("replica", replica)
                    .bind("started_at_ms", hello.getStartedAtMs())
                    .mapTo(UUID.class)
                    .findOne()
                    .isPresent());
    return accepted
        ? new Registration.Accepted()
        : new Registration.Refused(
            "a newer process or connection of worker " + peer.worker() + " is registered", false);
  }

  @Override
  public Optional<List<MailboxEntry>> readMailbox(Peer peer) {
    List<Optional<MailboxEntry>> rows =
        jdbi.withHandle(
            handle ->
                bind(handle.createQuery(Sql.named("worker/read_mailbox")), peer)
                    .map((row, context) -> entry(row))
                    .list());
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(rows.stream().flatMap(Optional::stream).toList());
  }

  private Optional<MailboxEntry> entry(ResultSet row) throws SQLException {
    UUID task = row.getObject("id", UUID.class);
    if (task == null) {
      return Optional.empty();
    }
    UUID dispatch = row.getObject("dispatch_id", UUID.class);
    return Optional.of(
        new MailboxEntry(
            new TaskId(task),
            new DispatchId(dispatch),
            new SessionId(row.getObject("session_id", UUID.class)),
            MailboxEntry.State.valueOf(row.getString("state")),
            row.getString("abort_reason"),
            message(row, task, dispatch)));
  }

  private Dispatch message(ResultSet row, UUID task, UUID dispatch) throws SQLException {
    Work work = decodeWork.apply(row.getString("work"));
    var message =
        Dispatch.newBuilder()
            .setDispatchId(dispatch.toString())
            .setTaskId(task.toString())
            .setRunId(Objects.requireNonNullElse(row.getString("run_id"), ""))
            .setTaskName(row.getString("name"))
            .setTenant(row.getString("tenant"))
            .setAttempt(row.getInt("fence"))
            .setFence(row.getLong("fence"))
            .setWorkflow(Objects.requireNonNullElse(row.getString("workflow"), ""))
            .addAllArgv(work.argv())
            .putAllEnv(work.env());
    if (work.script() != null) {
      message.setScript(work.script());
    }
    if (work.policy().executionTimeout() != null) {
      message.setExecutionTimeoutMs(work.policy().executionTimeout().toMillis());
    }
    return message.build();
  }

  @Override
  public List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
    return jdbi.inTransaction(
        handle -> {
          var query = bind(handle.createQuery(Sql.named("worker/rebind_tasks")), peer);
          Arrays.bind(query, "dispatches", UUID.class, bindings, b -> b.dispatch().value());
          Arrays.bind(query, "from_sessions", UUID.class, bindings, b -> b.from().value());
          return query
              .map((row, context) -> new DispatchId(row.getObject("dispatch_id", UUID.class)))
              .list();
        });
  }

  @Override
  public void touch(Peer peer, long reportNumber) {
    update("worker/touch_worker", peer, reportNumber);
  }

  @Override
  public void drain(Peer peer) {
    update("worker/drain_worker", peer, 0);
  }

  @Override
  public void markDisconnected(Peer peer) {
    update("worker/disconnect_worker", peer, 0);
  }

  private void update(String statement, Peer peer, long number) {
    jdbi.useHandle(
        (Handle handle) -> {
          var update = bind(handle.createUpdate(Sql.named(statement)), peer);
          if (number > 0) {
            update.bind("number", number);
          }
          update.execute();
        });
  }

  private static <S extends SqlStatement<S>> S bind(S statement, Peer peer) {
    return statement
        .bind("worker", peer.worker().value())
        .bind("session", peer.session().value())
        .bind("connection", peer.connection());
  }
}
