package dev.belay.store.worker;

import dev.belay.domain.id.WorkerId;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.store.Sql;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Brings workers back that were set aside. */
public final class WorkerTrust {

  private final Jdbi jdbi;
  private final Hints hints;
  private final Meters meters;

  public WorkerTrust(Jdbi jdbi, Hints hints, Meters meters) {
    this.jdbi = jdbi;
    this.hints = hints;
    this.meters = meters;
  }

  public enum Answer {
    TRUSTED,
    NOT_SET_ASIDE,
    NOT_FOUND
  }

  /**
   * The worker gets work again, and its failures count anew. An alert records who trusts it, and
   * why it had been set aside.
   */
  public Answer trust(WorkerId worker, String actor) {
    Answer answer = jdbi.inTransaction(handle -> trust(handle, worker, actor));
    if (answer == Answer.TRUSTED) {
      meters.alerted(Alert.WORKER_TRUSTED, 1);
      hints.workReady();
    }
    return answer;
  }

  private static Answer trust(Handle handle, WorkerId worker, String actor) {
    Optional<String> before =
        handle
            .createQuery(Sql.named("trust/trust_worker"))
            .bind("worker", worker.value())
            .map(
                (row, context) ->
                    "worker %s is trusted again, by %s. It was set aside at %s UTC: %s. (id %s)"
                        .formatted(
                            row.getString("name"),
                            actor,
                            row.getString("since"),
                            row.getString("reason"),
                            worker))
            .findOne();
    if (before.isPresent()) {
      Alerts.record(handle, Alert.WORKER_TRUSTED, before.get());
      return Answer.TRUSTED;
    }
    boolean known =
        handle
            .createQuery(Sql.named("steer/find_worker"))
            .bind("worker", worker.value())
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
    return known ? Answer.NOT_SET_ASIDE : Answer.NOT_FOUND;
  }
}
