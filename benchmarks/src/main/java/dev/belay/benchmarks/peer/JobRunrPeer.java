package dev.belay.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.configuration.BackgroundJobServerThreadType;
import org.jobrunr.server.configuration.DefaultBackgroundJobServerWorkerPolicy;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/** JobRunr with 50 platform threads; requests instead of lambdas, which saves reading bytecode. */
final class JobRunrPeer implements Peer {

  private static final int THREADS = 50;

  /** The shortest allowed poll. Busy JobRunr threads fetch more work without it. */
  private static final Duration POLL = Duration.ofSeconds(5);

  /** Submitted before JobRunr looks for work, so all its threads become busy. */
  private static final int FIRST = 1_000;

  private static final String OPEN =
      "SELECT count(*) FROM jobrunr_jobs WHERE state IN ('SCHEDULED', 'ENQUEUED', 'PROCESSING')";

  private static final AtomicLong RAN = new AtomicLong();

  private final HikariDataSource source;
  private final JobRequestScheduler scheduler;
  private final BackgroundJobServer server;

  /** JobRunr stores this in its table. */
  public static final class Noop implements JobRequest {
    @Override
    public Class<NoopHandler> getJobRequestHandler() {
      return NoopHandler.class;
    }
  }

  /** JobRunr creates this. */
  public static final class NoopHandler implements JobRequestHandler<Noop> {
    @Override
    public void run(Noop request) {
      RAN.incrementAndGet();
    }
  }

  JobRunrPeer(PeerDatabase database) {
    source = database.pool(THREADS + 10);
    var storage = new PostgresStorageProvider(source);
    scheduler =
        JobRunr.configure()
            .useJsonMapper(new JacksonJsonMapper())
            .useStorageProvider(storage)
            .useBackgroundJobServer(
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                    .andBackgroundJobServerWorkerPolicy(
                        new DefaultBackgroundJobServerWorkerPolicy(
                            THREADS, BackgroundJobServerThreadType.PlatformThreads))
                    .andPollInterval(POLL))
            .initialize()
            .getJobRequestScheduler();
    server = JobRunr.getBackgroundJobServer();
    server.pauseProcessing();
  }

  @Override
  public void resume() {
    server.resumeProcessing();
  }

  @Override
  public void pause() {
    server.pauseProcessing();
  }

  @Override
  public void run(int jobs) throws Exception {
    long wanted = RAN.get() + jobs;
    scheduler.enqueue(Stream.generate(Noop::new).limit(Math.min(jobs, FIRST)));
    // JobRunr's best case: it polls now instead of seconds later.
    server.getJobSteward().run();
    if (jobs > FIRST) {
      scheduler.enqueue(Stream.generate(Noop::new).limit(jobs - FIRST));
    }
    while (RAN.get() < wanted) {
      Thread.sleep(LOOK);
    }
    Peer.awaitNone(source, OPEN);
  }

  @Override
  public void submit(Runnable whenStarted) {
    throw new UnsupportedOperationException("JobRunr polls: seconds, not milliseconds");
  }

  @Override
  public void close() {
    server.stop();
    source.close();
  }
}
