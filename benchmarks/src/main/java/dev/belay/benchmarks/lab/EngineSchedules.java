package dev.belay.benchmarks.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.domain.id.OrderedIds;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.store.Database;
import dev.belay.store.leader.PostgresElection;
import dev.belay.store.schedule.PostgresSchedules;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.workflow.SpecCodec;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** The step that fires timed triggers, on a database, stepped by hand. */
public final class EngineSchedules implements AutoCloseable {

  private static final int POOL_SIZE = 2;

  private final HikariDataSource source;
  private final PostgresElection election;
  private final SchedulePhase schedules;

  private EngineSchedules(
      HikariDataSource source, PostgresElection election, SchedulePhase schedules) {
    this.source = source;
    this.election = election;
    this.schedules = schedules;
  }

  /** Becomes the leader. */
  public static EngineSchedules on(Address database) {
    var source =
        Database.enginePool(
            database.jdbcUrl(),
            database.user(),
            database.password(),
            POOL_SIZE,
            "belay bench",
            Database.Bounds.DEFAULT);
    var jdbi = Database.jdbi(source);
    var election = new PostgresElection(database::connect, "bench");
    var epoch =
        election.campaign().orElseThrow(() -> new IllegalStateException("somebody else leads"));
    RunParams none =
        requests ->
            requests.stream()
                .<RunParams.Answer>map(request -> new RunParams.Answer.Resolved("{}"))
                .toList();
    var parts =
        new SchedulePhase.Parts(
            new PostgresSchedules(jdbi),
            new PostgresTransactions(jdbi),
            none,
            json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
            new OrderedIds(InstantSource.system(), new SecureRandom()),
            Hints.NONE,
            Meters.NONE,
            Runnable::run);
    var schedules = new SchedulePhase(parts, () -> Optional.of(epoch), ScheduleSettings.DEFAULT);
    return new EngineSchedules(source, election, schedules);
  }

  /** One step. */
  public void runOnce() {
    var _ = schedules.runOnce();
  }

  @Override
  public void close() {
    election.resign();
    source.close();
  }
}
