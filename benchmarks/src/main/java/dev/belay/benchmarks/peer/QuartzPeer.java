package dev.belay.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;

/** Quartz with 50 threads that takes 50 triggers at a time; one job, and one trigger per task. */
final class QuartzPeer implements Peer {

  private static final int THREADS = 50;
  private static final int SCHEDULE_BATCH = 1_000;
  private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
  private static final AtomicLong RAN = new AtomicLong();

  private final HikariDataSource source;
  private final Scheduler scheduler;
  private final JobDetail job =
      JobBuilder.newJob(Noop.class).withIdentity("noop").storeDurably().build();
  private long named;

  /** Quartz creates this. */
  public static final class Noop implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      RAN.incrementAndGet();
    }
  }

  QuartzPeer(PeerDatabase database) throws Exception {
    source = database.pool(2);
    createTables(source);
    scheduler = new StdSchedulerFactory(properties(database)).getScheduler();
    scheduler.addJob(job, true);
  }

  static void createTables(DataSource source) throws IOException, SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(tables());
    }
  }

  private static String tables() throws IOException {
    try (var text = Scheduler.class.getResourceAsStream(TABLES)) {
      if (text == null) {
        throw new IOException("Quartz has no " + TABLES);
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static Properties properties(PeerDatabase database) {
    var properties = new Properties();
    properties.putAll(
        Map.ofEntries(
            Map.entry("org.quartz.scheduler.instanceName", "bench"),
            Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "" + THREADS),
            Map.entry("org.quartz.scheduler.idleWaitTime", "1000"),
            Map.entry("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool"),
            Map.entry("org.quartz.threadPool.threadCount", "" + THREADS),
            Map.entry("org.quartz.jobStore.class", JobStoreTX.class.getName()),
            Map.entry(
                "org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName()),
            // Required for batches, according to its documentation.
            Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
            // A trigger that waits for its turn must not count as a misfire.
            Map.entry("org.quartz.jobStore.misfireThreshold", "3600000"),
            Map.entry("org.quartz.jobStore.dataSource", "bench"),
            Map.entry("org.quartz.dataSource.bench.provider", "hikaricp"),
            Map.entry("org.quartz.dataSource.bench.driver", "org.postgresql.Driver"),
            Map.entry("org.quartz.dataSource.bench.URL", database.jdbcUrl()),
            Map.entry("org.quartz.dataSource.bench.user", database.user()),
            Map.entry("org.quartz.dataSource.bench.password", database.password()),
            Map.entry("org.quartz.dataSource.bench.maxConnections", "" + (THREADS + 5))));
    return properties;
  }

  @Override
  public void resume() throws Exception {
    scheduler.start();
  }

  @Override
  public void pause() throws Exception {
    scheduler.standby();
  }

  @Override
  public void run(int jobs) throws Exception {
    long wanted = RAN.get() + jobs;
    for (int left = jobs; left > 0; left -= SCHEDULE_BATCH) {
      scheduler.scheduleJobs(Map.of(job, triggers(Math.min(left, SCHEDULE_BATCH))), true);
    }
    while (RAN.get() < wanted) {
      Thread.sleep(LOOK);
    }
    Peer.awaitNone(
        source,
        "SELECT (SELECT count(*) FROM qrtz_triggers) + (SELECT count(*) FROM qrtz_fired_triggers)");
  }

  private Set<Trigger> triggers(int count) {
    var triggers = new HashSet<Trigger>();
    for (int i = 0; i < count; i++) {
      triggers.add(
          TriggerBuilder.newTrigger().withIdentity("t" + named++).forJob(job).startNow().build());
    }
    return triggers;
  }

  @Override
  public void submit(Runnable whenStarted) {
    throw new UnsupportedOperationException("not measured");
  }

  @Override
  public void close() throws SQLException {
    try (source) {
      scheduler.shutdown();
    } catch (SchedulerException e) {
      throw new SQLException(e);
    }
  }
}
