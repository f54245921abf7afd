package dev.belay.server.metrics;

/** Every metric of a replica. The name is what Prometheus shows. */
public enum Metric {
  TASKS_RECEIVED(
      "belay_tasks_received_total",
      Kind.COUNTER,
      "source",
      "jobs_received",
      "tasks accepted: submitted by a client, or created by a run"),
  TASKS_DISPATCHED(
      "belay_tasks_dispatched_total",
      Kind.COUNTER,
      "",
      "jobs_dispatched",
      "tasks claimed for a worker, each attempt once"),
  TASKS_COMPLETED(
      "belay_tasks_completed_total",
      Kind.COUNTER,
      "state",
      "jobs_completed",
      "tasks that reached a terminal state, written by this replica"),
  RUNS_COMPLETED(
      "belay_runs_completed_total",
      Kind.COUNTER,
      "state",
      "",
      "runs that reached a terminal state, written by this replica"),
  DISPATCH_LATENCY(
      "belay_dispatch_latency_seconds",
      Kind.TIMER,
      "",
      "dispatch_latency, dispatch_latency_seconds",
      "from SCHEDULED to claimed, by the database's clock"),
  DISPATCH_QUEUE_DEPTH(
      "belay_dispatch_queue_depth",
      Kind.GAUGE,
      "",
      "dispatch_queue_depth",
      "batches that wait for their claim or are claimed now"),
  DISPATCH_AT_CAPACITY(
      "belay_dispatch_at_capacity_total",
      Kind.COUNTER,
      "",
      "dispatch_at_capacity",
      "times that the dispatch pool was full and tasks stayed SCHEDULED for a later tick"),
  TICK("belay_tick_seconds", Kind.TIMER, "", "", "ticks of this leader: how many, how long"),
  TICK_PHASE("belay_tick_phase_seconds", Kind.TIMER, "phase", "", "phases of ticks"),
  TICK_PHASE_FAILURES(
      "belay_tick_phase_failures_total",
      Kind.COUNTER,
      "phase",
      "",
      "phases that failed as a whole; the next phase went on"),
  PLANS_STUCK(
      "belay_plans_stuck_total",
      Kind.COUNTER,
      "",
      "",
      "runs that were given up because the evaluation of their expressions did not come back"),
  EXPRESSIONS_TOO_COSTLY(
      "belay_expressions_too_costly_total",
      Kind.COUNTER,
      "",
      "",
      "tasks and runs that failed because an expression went past its budget"),
  POOL_WAITING(
      "belay_pool_waiting",
      Kind.GAUGE,
      "pool",
      "",
      "work that waits for a thread: `plan` (expressions of runs), `check_small` and `check_large`"
          + " (requests that are read and checked)"),
  POOL_BUSY("belay_pool_busy", Kind.GAUGE, "pool", "", "threads that work now"),
  POOL_STRAY(
      "belay_pool_stray",
      Kind.GAUGE,
      "pool",
      "",
      "threads that did not come back from their work and were left behind"),
  POOL_REFUSED(
      "belay_pool_refused_total",
      Kind.COUNTER,
      "pool",
      "",
      "times that a pool was full: a request was answered 503, a run waits for a later turn"),
  POOL_DONE("belay_pool_done_total", Kind.COUNTER, "pool", "", "pieces of work that ended"),
  POOL_WORKED(
      "belay_pool_worked_seconds_total",
      Kind.COUNTER,
      "pool",
      "",
      "time that threads of a pool worked"),
  RESULTS(
      "belay_results_total",
      Kind.COUNTER,
      "answer",
      "",
      "results of workers by answer: applied, duplicate, void"),
  RESULTS_BATCH_SIZE(
      "belay_results_batch_size", Kind.SUMMARY, "", "", "results written in one transaction"),
  RESULTS_WRITE("belay_results_write_seconds", Kind.TIMER, "", "", "one transaction of results"),
  RESULTS_WAITING(
      "belay_results_waiting", Kind.GAUGE, "", "", "results of workers that wait to be written"),
  SCHEDULER_DECISIONS(
      "belay_scheduler_decisions_total",
      Kind.COUNTER,
      "decision",
      "agent_lost, dispatch_lost, orphan_reaped, worker_restarted, not_reported,"
          + " and of each its list errors, reap errors and panics",
      "attempts, tasks and runs that the control plane ended or moved on by its own decision, and"
          + " what failed of that: `agent_lost`, `agent_lost_list_error` (candidates not read),"
          + " `agent_lost_reap_error` (not ended), `agent_lost_panic` (by a bug)"),
  REAP_LEFT(
      "belay_reap_left_total",
      Kind.COUNTER,
      "rule",
      "",
      "candidates that a rule looked at and left alone"),
  STALE_TASKS(
      "belay_stale_tasks",
      Kind.GAUGE,
      "state",
      "stale_jobs",
      "tasks past the bound of their state, on the leader"),
  ORPHAN_REPLAYED(
      "belay_orphan_replayed_total",
      Kind.COUNTER,
      "",
      "orphan_replayed",
      "tasks that could move on, did not, and were put through admission again"),
  RECOVERY_DETECTION(
      "belay_recovery_detection_seconds",
      Kind.TIMER,
      "kind",
      "",
      "from the last sign of life to the ending, see recovery.md"),
  RECOVERIES_LATE(
      "belay_recoveries_late_total",
      Kind.COUNTER,
      "kind",
      "",
      "recoveries that took longer than promised"),
  ALERTS("belay_alerts_total", Kind.COUNTER, "kind", "", "alerts raised by this replica"),
  LOG_BYTES("belay_log_bytes_total", Kind.COUNTER, "", "", "bytes of task logs that were stored"),
  LOG_REFUSED(
      "belay_log_refused_total",
      Kind.COUNTER,
      "reason",
      "",
      "pieces of task logs that were not stored, see logs.md for the reasons"),
  LOG_LEFT_OUT(
      "belay_log_left_out_bytes_total",
      Kind.COUNTER,
      "",
      "",
      "bytes of output that ended logs lack: beyond the limit, or lost for want of space"),
  LOG_DISK_BYTES(
      "belay_log_disk_bytes", Kind.GAUGE, "", "", "what task logs take on disk, counted hourly"),
  LOG_DISK_REFUSING(
      "belay_log_disk_refusing",
      Kind.GAUGE,
      "",
      "",
      "1 while task logs are not stored for want of space"),
  LOG_EVICTED(
      "belay_log_evicted_total",
      Kind.COUNTER,
      "",
      "",
      "task logs that were deleted before their time to make room"),
  BODY_BYTES("belay_body_bytes", Kind.GAUGE, "", "", "memory of bodies that are being read"),
  WORK_BYTES(
      "belay_work_bytes", Kind.GAUGE, "", "", "memory of requests in work, as it was estimated"),
  ANSWER_BYTES(
      "belay_answer_bytes", Kind.GAUGE, "", "", "memory of answers that wait to be written"),
  REQUESTS_REFUSED(
      "belay_requests_refused_total",
      Kind.COUNTER,
      "why",
      "",
      "requests refused to bound what they cost: `bodies_full`, `answers_full`, `upload_slow`"),
  READERS_CUT(
      "belay_readers_cut_total",
      Kind.COUNTER,
      "",
      "",
      "connections closed because the client did not read its answer"),
  CONNECTIONS_OPEN(
      "belay_connections_open", Kind.GAUGE, "", "", "connections of clients, without workers"),
  CONNECTIONS_OF_WORKERS(
      "belay_connections_of_workers", Kind.GAUGE, "", "", "connections that workers opened"),
  CONNECTIONS_REFUSED(
      "belay_connections_refused_total",
      Kind.COUNTER,
      "",
      "",
      "connections closed at once because too many were open and in use"),
  CONNECTIONS_CLOSED_IDLE(
      "belay_connections_closed_idle_total",
      Kind.COUNTER,
      "",
      "",
      "idle connections closed to make room for new ones"),
  WORKER_STREAMS("belay_worker_streams", Kind.GAUGE, "", "", "workers connected to this replica"),
  HELLOS_REFUSED(
      "belay_hellos_refused_total",
      Kind.COUNTER,
      "why",
      "",
      "hellos of workers that were not taken: `older`, `wrong_key`, `revoked`, `malformed`"),
  WORKERS_UNREAD(
      "belay_workers_unread_total",
      Kind.COUNTER,
      "",
      "",
      "worker streams that were cut because the worker did not read what it was sent"),
  LEADER("belay_leader", Kind.GAUGE, "", "", "1 while this replica leads"),
  LEADER_EPOCH(
      "belay_leader_epoch", Kind.GAUGE, "", "", "the epoch of this leader; 0 on a follower"),
  LEADER_CHANGES(
      "belay_leader_changes_total",
      Kind.COUNTER,
      "",
      "",
      "times that this replica began or ceased to lead"),
  DATABASE_UP("belay_database_up", Kind.GAUGE, "", "", "1 while the database answers"),
  LOOP_RESTARTS(
      "belay_loop_restarts_total",
      Kind.COUNTER,
      "",
      "",
      "loops whose thread died and was replaced"),
  LOOPS_UNWELL(
      "belay_loops_unwell", Kind.GAUGE, "", "", "loops that are dead, or stuck in one step"),
  THREADS(
      "belay_threads",
      Kind.GAUGE,
      "",
      "threads, active_goroutines",
      "platform threads of the process");

  /** What Prometheus makes of it. */
  public enum Kind {
    COUNTER,
    GAUGE,
    TIMER,
    SUMMARY
  }

  private final String text;
  private final Kind kind;
  private final String label;
  private final String answers;
  private final String help;

  Metric(String text, Kind kind, String label, String answers, String help) {
    this.text = text;
    this.kind = kind;
    this.label = label;
    this.answers = answers;
    this.help = help;
  }

  public String text() {
    return text;
  }

  public Kind kind() {
    return kind;
  }

  /** The name of its label; empty when it has none. */
  public String label() {
    return label;
  }

  /** The names under which the documents that Belay answers know it; empty for our own. */
  public String answers() {
    return answers;
  }

  public String help() {
    return help;
  }
}
