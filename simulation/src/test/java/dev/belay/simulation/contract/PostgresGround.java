package dev.belay.simulation.contract;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.belay.simulation.PostgresStore;
import dev.belay.simulation.Store;
import dev.belay.simulation.contract.Raced.Answered;
import dev.belay.store.fixture.Race;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.leader.ElectionSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.postgresql.PGConnection;

/** One database, which each test empties. Two who race are two sessions. */
final class PostgresGround implements Ground, AutoCloseable {

  private static final int CONNECTIONS_MAX = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(2);

  /**
   * A campaign that waits in a race must keep its place. After its time it would end the session
   * that holds the epoch lock, the referee's, and line up again behind the other writer.
   */
  private static final ElectionSettings PATIENT =
      new ElectionSettings(PATIENCE.plusSeconds(1), PATIENCE, PATIENCE.plusSeconds(2));

  private final StoreFixture rows = new StoreFixture();
  private final SteppedClock clock = new SteppedClock();
  private final ClockedPool pool = new ClockedPool(rows.pool(), clock);

  /** The same for all tests: it has parsed its statements. */
  private final Store store = new PostgresStore(pool, pool::open, PATIENT, () -> {});

  @Override
  public Stage open() {
    clock.beginAgain();
    rows.run(
        "DELETE FROM rate_bucket; DELETE FROM dead_letter; DELETE FROM backfill; DELETE FROM"
            + " chain_fire; DELETE FROM fire; DELETE FROM trigger_version; DELETE FROM trigger;"
            + " DELETE FROM task; DELETE FROM task_payload; DELETE FROM step; DELETE FROM"
            + " past_attempt; DELETE FROM idempotency; DELETE FROM run; DELETE FROM workflow;"
            + " DELETE FROM run_history; DELETE FROM mark; DELETE FROM worker; DELETE FROM"
            + " worker_key; DELETE FROM workflow_control; DELETE FROM replica; DELETE FROM outage;"
            + " DELETE FROM recovery; DELETE FROM alert; UPDATE leadership SET epoch = 0, leader ="
            + " NULL, since = NULL");
    return new Stage(store, clock, this::race);
  }

  /** The one way: behind each other. */
  @Override
  public void inEveryWay(Consumer<Stage> scene) {
    try (var stage = open()) {
      scene.accept(stage);
    }
  }

  private <A, B> Raced<A, B> race(Contended at, Supplier<A> first, Supplier<B> second) {
    try (var race = new Race(rows, at.lock())) {
      return at.bySecond() ? overtake(race, first, second) : lineUp(race, first, second);
    }
  }

  /** The second has its snapshot and waits; the first goes by. */
  private <A, B> Raced<A, B> overtake(Race race, Supplier<A> first, Supplier<B> second) {
    var two = race.start(() -> Answered.by(second));
    awaitWaiting(two, 1);
    if (two.isDone()) {
      throw new AssertionError("the second did not wait: that was no race");
    }
    var one = Answered.by(first);
    race.release();
    return new Raced<>(one, Race.result(two));
  }

  /** PostgreSQL serves those who wait for a lock in the order in which they came. */
  private <A, B> Raced<A, B> lineUp(Race race, Supplier<A> first, Supplier<B> second) {
    var one = race.start(() -> Answered.by(first));
    awaitWaiting(one, 1);
    if (one.isDone()) {
      throw new AssertionError("the first did not wait: that was no race");
    }
    var two = race.start(() -> Answered.by(second));
    awaitWaiting(two, 2);
    race.release();
    return new Raced<>(Race.result(one), Race.result(two));
  }

  /** Until it waits for a lock, or is done without. */
  private void awaitWaiting(Future<?> writer, int sessions) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(LOOK)
        .until(() -> writer.isDone() || waiting() == sessions);
  }

  private long waiting() {
    return rows.count(
        "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
  }

  @Override
  public void close() {
    pool.close();
    rows.close();
  }

  /** Whoever gets a connection gets the time with it. */
  private static final class ClockedPool extends HikariDataSource {
    private final InstantSource clock;
    private final Map<PGConnection, Instant> told = new ConcurrentHashMap<>();

    ClockedPool(HikariDataSource like, InstantSource clock) {
      super(config(like));
      this.clock = clock;
    }

    private static HikariConfig config(HikariDataSource like) {
      var config = new HikariConfig();
      config.setJdbcUrl(like.getJdbcUrl());
      config.setUsername(like.getUsername());
      config.setPassword(like.getPassword());
      config.setMaximumPoolSize(CONNECTIONS_MAX);
      return config;
    }

    @Override
    public Connection getConnection() throws SQLException {
      return told(super.getConnection());
    }

    /** One of its own. */
    Connection open() throws SQLException {
      return told(DriverManager.getConnection(getJdbcUrl(), getUsername(), getPassword()));
    }

    private Connection told(Connection connection) throws SQLException {
      var now = clock.instant();
      if (!now.equals(told.put(connection.unwrap(PGConnection.class), now))) {
        try (var statement = connection.createStatement()) {
          statement.execute("SELECT set_config('belay.now', '" + now + "', false)");
        }
      }
      return connection;
    }
  }
}
