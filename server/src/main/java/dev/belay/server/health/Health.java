package dev.belay.server.health;

import dev.belay.engine.leader.Leader;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Loops;
import dev.belay.engine.port.Epoch;
import dev.belay.server.health.HealthReport.LoopHealth;
import dev.belay.server.health.HealthReport.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the health report. A follower that could lead is as healthy as a leader. */
public final class Health {

  /** The loop that runs ticks. */
  public static final String TICK_LOOP = "tick";

  private final String replica;
  private final Leader leader;
  private final DatabaseProbe database;
  private final Loops loops;
  private final Duration tickSilence;

  /**
   * @param tickSilence the scheduler counts as stalled without a successful tick for this long
   */
  public Health(
      String replica, Leader leader, DatabaseProbe database, Loops loops, Duration tickSilence) {
    this.replica = replica;
    this.leader = leader;
    this.database = database;
    this.loops = loops;
    this.tickSilence = tickSilence;
  }

  /** Returns at once. */
  public HealthReport report() {
    List<Loop.Status> statuses = loops.statuses();
    HealthReport.Scheduler scheduler = scheduler(statuses);
    Optional<String> trouble = database.trouble();
    var store =
        new HealthReport.Database(
            Status.of(trouble.isEmpty()), database.sinceAnswer().toMillis(), trouble.orElse(null));
    Map<String, LoopHealth> loopHealth = new LinkedHashMap<>();
    statuses.forEach(status -> loopHealth.put(status.name(), loop(status)));
    boolean well =
        scheduler.status() == Status.HEALTHY
            && store.status() == Status.HEALTHY
            && statuses.stream().allMatch(Loop.Status::isWell);
    return new HealthReport(Status.of(well), replica, scheduler, store, leadership(), loopHealth);
  }

  private HealthReport.Scheduler scheduler(List<Loop.Status> statuses) {
    Optional<Duration> sinceTick = leader.sinceTick();
    if (sinceTick.isPresent()) {
      Duration since = sinceTick.get();
      return new HealthReport.Scheduler(
          Status.of(since.compareTo(tickSilence) <= 0), "leader", since.toMillis());
    }
    boolean steps =
        statuses.stream()
            .filter(status -> status.name().equals(TICK_LOOP))
            .anyMatch(status -> status.alive() && status.sinceChange().compareTo(tickSilence) <= 0);
    return new HealthReport.Scheduler(Status.of(steps), "follower", null);
  }

  private HealthReport.Leader leadership() {
    Optional<Epoch> epoch = leader.epoch();
    if (epoch.isPresent()) {
      return new HealthReport.Leader(true, replica, epoch.get().value());
    }
    // The last known leader may no longer lead while the database is silent.
    Optional<DatabaseProbe.Leadership> other =
        database.isAnswering() ? database.leadership() : Optional.empty();
    return new HealthReport.Leader(
        false,
        other.map(DatabaseProbe.Leadership::name).orElse(null),
        other.map(DatabaseProbe.Leadership::epoch).orElse(null));
  }

  private static LoopHealth loop(Loop.Status status) {
    return new LoopHealth(
        Status.of(status.isWell()),
        status.alive(),
        status.stepping(),
        status.sinceChange().toMillis(),
        status.restarts());
  }
}
