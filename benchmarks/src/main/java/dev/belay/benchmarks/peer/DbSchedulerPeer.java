package dev.belay.benchmarks.peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** db-scheduler with the throughput settings of its documentation. */
final class DbSchedulerPeer implements Peer {

  static final int THREADS = 20;
  private static final Duration POLL = Duration.ofMillis(100);

  /** The table of its documentation; it uses the index on priority only with priorities. */
  static final String TABLE =
      """
      CREATE TABLE scheduled_tasks (
        task_name text NOT NULL,
        task_instance text NOT NULL,
        task_data bytea,
        execution_time timestamptz NOT NULL,
        picked boolean NOT NULL,
        picked_by text,
        last_success timestamptz,
        last_failure timestamptz,
        consecutive_failures int,
        last_heartbeat timestamptz,
        version bigint NOT NULL,
        priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      """;

  private final HikariDataSource source;
  private final Scheduler scheduler;
  private final OneTimeTask<Void> task;
  private final Map<String, Runnable> watched = new ConcurrentHashMap<>();
  private final AtomicLong ran = new AtomicLong();
  private long named;

  DbSchedulerPeer(PeerDatabase database) throws Exception {
    source = database.pool(THREADS + 5);
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
    task = Tasks.oneTime("noop").execute((instance, context) -> handle(instance.getId()));
    scheduler =
        Scheduler.create(source, task)
            .threads(THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(POLL)
            .enableImmediateExecution()
            .build();
    scheduler.start();
    scheduler.pause();
  }

  private void handle(String id) {
    ran.incrementAndGet();
    var whenStarted = watched.remove(id);
    if (whenStarted != null) {
      whenStarted.run();
    }
  }

  @Override
  public void resume() {
    scheduler.resume();
  }

  @Override
  public void pause() {
    scheduler.pause();
  }

  @Override
  public void run(int jobs) throws Exception {
    long wanted = ran.get() + jobs;
    long first = named;
    named += jobs;
    scheduler.scheduleBatch(
        IntStream.range(0, jobs)
            .<TaskInstance<?>>mapToObj(i -> task.instance("job-" + (first + i))),
        Instant.now());
    while (ran.get() < wanted) {
      Thread.sleep(LOOK);
    }
    Peer.awaitNone(source, "SELECT count(*) FROM scheduled_tasks");
  }

  @Override
  public void submit(Runnable whenStarted) {
    String id = "job-" + named++;
    watched.put(id, whenStarted);
    scheduler.schedule(task.instance(id), Instant.now());
  }

  @Override
  public void close() {
    scheduler.stop();
    source.close();
  }
}
