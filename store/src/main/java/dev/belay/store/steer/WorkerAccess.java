package dev.belay.store.steer;

import dev.belay.domain.id.WorkerId;
import dev.belay.engine.port.Hints;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which workers may join. Every call may be repeated. */
public final class WorkerAccess {

  private static final Logger log = LoggerFactory.getLogger(WorkerAccess.class);
  private static final Set<String> GIVEN_UP = Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  private final Jdbi jdbi;
  private final Hints hints;

  public WorkerAccess(Jdbi jdbi, Hints hints) {
    this.jdbi = jdbi;
    this.hints = hints;
  }

  /**
   * Its key is not taken any more, its stream is cut by the replica that holds it, and what it
   * holds ends {@code worker_gone}.
   *
   * @return false when there is no such worker
   */
  public boolean revoke(WorkerId id, String actor) {
    boolean known =
        Retry.on(
            GIVEN_UP,
            () ->
                jdbi.inTransaction(
                    handle -> {
                      int revoked =
                          handle
                              .createUpdate(Sql.named("steer/revoke_key"))
                              .bind("worker", id.value())
                              .bind("actor", actor)
                              .execute();
                      handle
                          .createUpdate(Sql.named("steer/cut_worker"))
                          .bind("worker", id.value())
                          .execute();
                      return revoked > 0;
                    }));
    if (known) {
      log.atInfo().addKeyValue("worker", id).addKeyValue("actor", actor).log("worker revoked");
      hints.mailbox(id);
    }
    return known;
  }

  /**
   * Forgets its key: the next hello with this id sets it.
   *
   * @return false when it has no key, as after the same call before
   */
  public boolean allow(WorkerId id, String actor) {
    boolean forgotten =
        jdbi.inTransaction(
                handle ->
                    handle
                        .createUpdate(Sql.named("steer/forget_key"))
                        .bind("worker", id.value())
                        .execute())
            > 0;
    if (forgotten) {
      log.atInfo().addKeyValue("worker", id).addKeyValue("actor", actor).log("worker allowed");
    }
    return forgotten;
  }

  /** At most {@code limit} workers that say that they have this name. */
  public List<WorkerId> named(String name, int limit) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("steer/find_workers_named"))
                .bind("name", name)
                .bind("limit", limit)
                .map((row, context) -> new WorkerId(row.getObject("worker_id", UUID.class)))
                .list());
  }
}
