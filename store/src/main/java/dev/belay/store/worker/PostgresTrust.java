package dev.belay.store.worker;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.trust.SetAside.Others;
import dev.belay.domain.trust.TrustSettings;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.TrustStore;
import dev.belay.store.Retry;
import dev.belay.store.Sql;
import dev.belay.store.leader.EpochLock;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Failures of workers on PostgreSQL. */
public final class PostgresTrust implements TrustStore {

  /** Workers that are set aside beyond this number are not counted. */
  private static final int LOOK_MAX = 1_000;

  private static final Set<String> GIVEN_UP = Set.of(Retry.DEADLOCK, Retry.SERIALIZATION_FAILURE);

  private final Jdbi jdbi;
  private final TrustSettings settings;
  private final Duration routableSilence;
  private final Meters meters;

  /**
   * @param routableSilence a worker that is silent for longer gets no new work
   * @param meters counts alerts after their commit
   */
  public PostgresTrust(Jdbi jdbi, TrustSettings settings, Duration routableSilence, Meters meters) {
    this.jdbi = jdbi;
    this.settings = settings;
    this.routableSilence = routableSilence;
    this.meters = meters;
  }

  @Override
  public boolean note(WorkerId worker, SessionId session, int before, int failures) {
    return jdbi.withHandle(
        handle ->
            handle
                    .createUpdate(Sql.named("trust/note_failures"))
                    .bind("worker", worker.value())
                    .bind("session", session.value())
                    .bind("before", before)
                    .bind("failures", failures)
                    .execute()
                > 0);
  }

  private record Row(Suspect suspect, boolean setAside) {}

  @Override
  public Look look(int suspectsMax) {
    List<Row> rows =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery(Sql.named("trust/read_suspects"))
                    .bind("failures", settings.failures())
                    .bind("window_seconds", settings.window().toMillis() / 1000.0)
                    .bind("limit", LOOK_MAX)
                    .map(
                        (row, context) ->
                            new Row(
                                new Suspect(
                                    new WorkerId(row.getObject("id", UUID.class)),
                                    new SessionId(row.getObject("session_id", UUID.class)),
                                    row.getString("name"),
                                    row.getInt("fast_failures")),
                                row.getBoolean("set_aside")))
                    .list());
    List<Suspect> suspects = new ArrayList<>();
    int setAside = 0;
    for (Row row : rows) {
      if (row.setAside()) {
        setAside++;
      } else if (suspects.size() < suspectsMax) {
        suspects.add(row.suspect());
      }
    }
    return new Look(suspects, setAside);
  }

  @Override
  public Others countOthers(WorkerId worker) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery(Sql.named("trust/count_others"))
                .bind("worker", worker.value())
                .bind("window_seconds", settings.window().toMillis() / 1000.0)
                .bind("silence_seconds", routableSilence.toMillis() / 1000.0)
                .map(
                    (row, context) ->
                        new Others(
                            row.getInt("well"), row.getInt("failing"), row.getInt("set_aside")))
                .one());
  }

  @Override
  public boolean setAside(Epoch epoch, Suspect suspect, String reason) {
    boolean done =
        Retry.on(
            GIVEN_UP,
            () ->
                jdbi.inTransaction(
                    handle -> {
                      EpochLock.enter(handle, epoch);
                      boolean written =
                          handle
                                  .createUpdate(Sql.named("trust/set_aside"))
                                  .bind("worker", suspect.worker().value())
                                  .bind("session", suspect.session().value())
                                  .bind("failures", settings.failures())
                                  .bind("reason", reason)
                                  .execute()
                              > 0;
                      if (written) {
                        Alerts.record(handle, Alert.WORKER_SET_ASIDE, alert(suspect, reason));
                      }
                      return written;
                    }));
    if (done) {
      meters.alerted(Alert.WORKER_SET_ASIDE, 1);
    }
    return done;
  }

  private static String alert(Suspect suspect, String reason) {
    return "worker %s is set aside: %s. It gets no new work until `belay workers trust %s`. (id %s)"
        .formatted(suspect.name(), reason, suspect.name(), suspect.worker());
  }
}
