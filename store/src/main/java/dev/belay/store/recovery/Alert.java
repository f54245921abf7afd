package dev.belay.store.recovery;

import java.time.Instant;

/** An event that needs a person's attention. */
public record Alert(long id, String kind, String detail, Instant at) {

  /** A recovery took longer than promised. */
  public static final String RECOVERY_LATE = "recovery_late";

  /** A connection claimed to be a worker but lacked its key. */
  public static final String WORKER_KEY_REFUSED = "worker_key_refused";

  /** Tasks failed fast and often on a worker, which gets no new work. */
  public static final String WORKER_SET_ASIDE = "worker_set_aside";

  /** A person brought a worker back that was set aside. */
  public static final String WORKER_TRUSTED = "worker_trusted";

  /** Finished tasks and runs cannot be removed. */
  public static final String RETENTION_FAILED = "retention_failed";

  /** No replica has done a periodic job for several periods. */
  public static final String JOB_OVERDUE = "job_overdue";

  /** A run has not ended by its deadline. */
  public static final String RUN_DEADLINE = "run_deadline";

  /** No run of a workflow succeeded by its {@code expect_by}. */
  public static final String RUN_MISSING = "run_missing";

  /** A timed trigger fired later than promised. */
  public static final String SCHEDULE_LATE = "schedule_late";
}
