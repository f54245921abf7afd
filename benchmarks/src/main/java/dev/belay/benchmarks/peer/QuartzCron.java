package dev.belay.benchmarks.peer;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Quartz's cron triggers in its JDBC store: one job, and one trigger per expression. */
final class QuartzCron implements CronPeer {

  private static final int BATCH = 1_000;

  /** Quartz creates the jobs, so they find their listener here. */
  private static volatile @Nullable Listener told;

  private final Scheduler scheduler;

  /** Quartz creates this. */
  public static final class Noop implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      var listener = told;
      if (listener != null) {
        listener.ran(context.getScheduledFireTime().toInstant().toEpochMilli());
      }
    }
  }

  QuartzCron(PeerDatabase database) throws Exception {
    try (var source = database.pool(1)) {
      QuartzPeer.createTables(source);
    }
    scheduler = new StdSchedulerFactory(QuartzPeer.properties(database)).getScheduler();
  }

  @Override
  public void schedule(List<String> expressions, Listener listener) throws Exception {
    told = listener;
    var job = JobBuilder.newJob(Noop.class).withIdentity("noop").storeDurably().build();
    for (int from = 0; from < expressions.size(); from += BATCH) {
      Set<Trigger> triggers = new HashSet<>();
      for (int i = from; i < Math.min(from + BATCH, expressions.size()); i++) {
        triggers.add(
            TriggerBuilder.newTrigger()
                .withIdentity("t" + i)
                .forJob(job)
                .withSchedule(
                    CronScheduleBuilder.cronSchedule(quartz(expressions.get(i)))
                        .inTimeZone(TimeZone.getTimeZone("UTC"))
                        .withMisfireHandlingInstructionIgnoreMisfires())
                .build());
      }
      scheduler.scheduleJobs(Map.of(job, triggers), true);
    }
    scheduler.start();
  }

  /** One of the two fields for days must be a question mark. */
  private static String quartz(String expression) {
    return expression.substring(0, expression.length() - 1) + "?";
  }

  @Override
  public void clear() throws Exception {
    scheduler.standby();
    scheduler.clear();
  }

  @Override
  public void close() throws Exception {
    scheduler.shutdown();
  }
}
