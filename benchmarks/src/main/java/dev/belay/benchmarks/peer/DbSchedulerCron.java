package dev.belay.benchmarks.peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTaskWithPersistentSchedule;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.PersistentCronSchedule;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler's recurring tasks, with as short a poll as makes sense: it finds due tasks by it.
 */
final class DbSchedulerCron implements CronPeer {

  private static final Duration POLL = Duration.ofMillis(10);

  private final HikariDataSource source;
  private @Nullable Scheduler scheduler;

  DbSchedulerCron(PeerDatabase database) throws Exception {
    source = database.pool(DbSchedulerPeer.THREADS + 5);
    execute(DbSchedulerPeer.TABLE);
  }

  private void execute(String sql) throws Exception {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void schedule(List<String> expressions, Listener listener) {
    RecurringTaskWithPersistentSchedule<PersistentCronSchedule> task =
        Tasks.recurringWithPersistentSchedule("noop", PersistentCronSchedule.class)
            .execute(
                (instance, context) ->
                    listener.ran(context.getExecution().executionTime.toEpochMilli()));
    var made =
        Scheduler.create(source, task)
            .threads(DbSchedulerPeer.THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(POLL)
            .build();
    made.scheduleBatch(
        IntStream.range(0, expressions.size())
            .<SchedulableInstance<?>>mapToObj(
                i ->
                    task.schedulableInstance(
                        "job-" + i,
                        new PersistentCronSchedule(expressions.get(i), ZoneOffset.UTC))));
    made.start();
    scheduler = made;
  }

  @Override
  public void clear() throws Exception {
    var running = scheduler;
    if (running != null) {
      running.stop();
      scheduler = null;
    }
    execute("TRUNCATE scheduled_tasks");
  }

  @Override
  public void close() throws Exception {
    try (source) {
      clear();
    }
  }
}
