package dev.belay.server.metrics;

/** Every metric of a replica. The name is what Prometheus shows. */
public enum Metric {
  JOBS_RECEIVED(
      "belay_jobs_received_total",
      Kind.COUNTER,
      "source",
      "jobs_received",
      "tasks accepted: submitted by a client, or created by a run"),
  JOBS_DISPATCHED(
      "belay_jobs_dispatched_total",
      Kind.COUNTER,
      "",
      "jobs_dispatched",
      "tasks claimed for a worker, each attempt once"),
  JOBS_COMPLETED(
      "belay_jobs_completed_total",
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
  RESULTS(
      "belay_results_total",
      Kind.COUNTER,
      "answer",
      "",
      "reports of workers by answer: applied, duplicate, void"),
  RESULTS_BATCH_SIZE(
      "belay_results_batch_size", Kind.SUMMARY, "", "", "reports written in one transaction"),
  RESULTS_WRITE("belay_results_write_seconds", Kind.TIMER, "", "", "one transaction of reports"),
  RESULTS_WAITING(
      "belay_results_waiting", Kind.GAUGE, "", "", "reports of workers that wait to be written"),
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
  STALE_JOBS(
      "belay_stale_jobs",
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
