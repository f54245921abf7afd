package dev.belay.server.metrics;

/** Every metric of a replica, with its name in Prometheus. */
public enum Metric {
  TASKS_RECEIVED(
      "belay_tasks_received_total",
      Kind.COUNTER,
      "source",
      "jobs_received",
      "tasks accepted: submitted by a client, or created by a run; also labelled by `topic`, which"
          + " is `other` for one that is not declared"),
  TASKS_WAITING(
      "belay_tasks_waiting",
      Kind.GAUGE,
      "topic",
      "",
      "tasks that are SCHEDULED: they wait for a worker or a limit; counted every 15 s, up to"
          + " 100,000 in all; 0 when this replica does not lead"),
  PLACEMENTS_REFUSED(
      "belay_placements_refused_total",
      Kind.COUNTER,
      "reason",
      "",
      "times that the dispatcher found the tasks of a task queue unable to start, by the reason"
          + " that `waiting` shows; it looks again when that may have changed"),
  LIMIT_PLACES(
      "belay_limit_places",
      Kind.GAUGE,
      "limit",
      "",
      "places of each limit of a pool (`pool_slots`) or a tenant (`tenant_limit`); also labelled by"
          + " `name`, up to 200; only at the leader"),
  LIMIT_PLACES_HELD(
      "belay_limit_places_held",
      Kind.GAUGE,
      "limit",
      "",
      "how many of these are held; also labelled by `name`"),
  SUBMITS_LIMITED(
      "belay_submits_limited_total",
      Kind.COUNTER,
      "limit",
      "",
      "submits and triggers that a limit of their tenant refused: `max_waiting` or `submit_rate`"),
  TASKS_DISPATCHED(
      "belay_tasks_dispatched_total",
      Kind.COUNTER,
      "topic",
      "jobs_dispatched",
      "tasks claimed for a worker; each attempt counts. `topic` is empty for tasks that name only a"
          + " pool, and `other` beyond 200 topics"),
  TASKS_COMPLETED(
      "belay_tasks_completed_total",
      Kind.COUNTER,
      "state",
      "jobs_completed",
      "tasks that this replica wrote as ended, by terminal state; also labelled by `topic`, which"
          + " is empty for tasks without one, and for those that ended without an attempt"),
  DISPATCH_FAILED(
      "belay_dispatch_failed_total",
      Kind.COUNTER,
      "attempts whose worker could not start a process, through no fault of the task"),
  DEAD_LETTERS(
      "belay_dead_letters_total",
      Kind.COUNTER,
      "reason",
      "",
      "tasks that were given up, each with a dead letter; also labelled by `topic`"),
  DEAD_LETTERS_OPEN(
      "belay_dead_letters_open",
      Kind.GAUGE,
      "reason",
      "",
      "dead letters that nobody has retried, up to 100,000 of each reason; 0 when this replica does"
          + " not lead"),
  QUEUES_UNSERVED(
      "belay_unserved_queues",
      Kind.GAUGE,
      "reason",
      "",
      "task queues with waiting tasks that nothing known can ever run, see dead-letters.md; only at"
          + " the leader"),
  RUNS_COMPLETED(
      "belay_runs_completed_total",
      Kind.COUNTER,
      "state",
      "",
      "runs that this replica wrote as ended, by terminal state"),
  RUN_PROMISES_BROKEN(
      "belay_run_promises_broken_total",
      Kind.COUNTER,
      "promise",
      "",
      "runs that took longer than `run.timeout` or `run.deadline` allows, and days without the run"
          + " that `run.expect_by` promises, see promises.md"),
  DISPATCH_LATENCY(
      "belay_dispatch_latency_seconds",
      Kind.TIMER,
      "",
      "dispatch_latency, dispatch_latency_seconds",
      "time from SCHEDULED to the claim, on the database's clock"),
  DISPATCH_BATCH_SIZE(
      "belay_dispatch_batch_size", Kind.SUMMARY, "tasks claimed in one transaction"),
  DISPATCH_QUEUE_DEPTH(
      "belay_dispatch_queue_depth",
      Kind.GAUGE,
      "",
      "dispatch_queue_depth",
      "batches in the dispatch pool: waiting, or being claimed"),
  DISPATCH_AT_CAPACITY(
      "belay_dispatch_at_capacity_total",
      Kind.COUNTER,
      "",
      "dispatch_at_capacity",
      "times that the dispatch pool was full and tasks stayed SCHEDULED for a later tick"),
  TICK("belay_tick_seconds", Kind.TIMER, "ticks of this leader: their number and duration"),
  TICK_PHASE(
      "belay_tick_phase_seconds", Kind.TIMER, "phase", "", "duration of each phase of a tick"),
  TICK_PHASE_FAILURES(
      "belay_tick_phase_failures_total",
      Kind.COUNTER,
      "phase",
      "",
      "phases that failed as a whole; the tick continued with the next phase"),
  PLANS_STUCK(
      "belay_plans_stuck_total",
      Kind.COUNTER,
      "runs given up because the evaluation of their expressions did not return"),
  EXPRESSIONS_TOO_COSTLY(
      "belay_expressions_too_costly_total",
      Kind.COUNTER,
      "tasks and runs that failed because an expression exceeded its budget"),
  POOL_WAITING(
      "belay_thread_pool_waiting",
      Kind.GAUGE,
      "pool",
      "",
      "work that waits for a thread: `plan` (expressions of runs), `check_small` and `check_large`"
          + " (requests to parse and check)"),
  POOL_BUSY("belay_thread_pool_busy", Kind.GAUGE, "pool", "", "threads at work now"),
  POOL_STRAY(
      "belay_thread_pool_stray",
      Kind.GAUGE,
      "pool",
      "",
      "threads that did not return from their work and were replaced or written off"),
  POOL_REFUSED(
      "belay_thread_pool_refused_total",
      Kind.COUNTER,
      "pool",
      "",
      "times that a pool was full: the request got a 503, or the run waits for a later tick"),
  POOL_DONE("belay_thread_pool_done_total", Kind.COUNTER, "pool", "", "pieces of work that ended"),
  POOL_WORKED(
      "belay_thread_pool_worked_seconds_total",
      Kind.COUNTER,
      "pool",
      "",
      "time that the threads of a pool spent at work"),
  RESULTS(
      "belay_results_total",
      Kind.COUNTER,
      "answer",
      "",
      "results of workers by answer: applied, duplicate, void"),
  RESULTS_BATCH_SIZE(
      "belay_results_batch_size", Kind.SUMMARY, "results written in one transaction"),
  RESULTS_WRITE(
      "belay_results_write_seconds", Kind.TIMER, "duration of one transaction that writes results"),
  RESULTS_WAITING(
      "belay_results_waiting", Kind.GAUGE, "results of workers that wait to be written"),
  SCHEDULER_DECISIONS(
      "belay_scheduler_decisions_total",
      Kind.COUNTER,
      "decision",
      "agent_lost, dispatch_lost, orphan_reaped, worker_restarted, not_reported,"
          + " each with its list errors, reap errors and panics",
      "attempts, tasks and runs that the control plane ended or moved on by its own decision, and"
          + " its failures to do so: `agent_lost`, `agent_lost_list_error` (could not read the"
          + " candidates), `agent_lost_reap_error` (could not end them), `agent_lost_panic` (a"
          + " bug)"),
  REAP_LEFT(
      "belay_reap_left_total",
      Kind.COUNTER,
      "rule",
      "",
      "candidates that a rule examined and left alone"),
  STALE_TASKS(
      "belay_stale_tasks",
      Kind.GAUGE,
      "state",
      "stale_jobs",
      "tasks past the time limit of their state; only on the leader"),
  ORPHAN_REPLAYED(
      "belay_orphan_replayed_total",
      Kind.COUNTER,
      "",
      "orphan_replayed",
      "tasks that could move but did not, and went through admission again"),
  RECOVERY_DETECTION(
      "belay_recovery_detection_seconds",
      Kind.TIMER,
      "kind",
      "",
      "time from the last sign of life to the end of the stall, see recovery.md"),
  RECOVERIES_LATE(
      "belay_recoveries_late_total",
      Kind.COUNTER,
      "kind",
      "",
      "recoveries that took longer than promised"),
  ALERTS("belay_alerts_total", Kind.COUNTER, "kind", "", "alerts that this replica raised"),
  SCHEDULE_INSTANTS(
      "belay_schedule_instants_total",
      Kind.COUNTER,
      "outcome",
      "",
      "instants of triggers that this leader decided: `fired`, `skipped`, `coalesced`, `checked`"),
  SCHEDULE_LATENESS(
      "belay_schedule_lateness_seconds",
      Kind.TIMER,
      "time from when an instant that fired was due to the decision, on the database's clock"),
  SCHEDULE_NEXT_DUE(
      "belay_schedule_next_due_timestamp_seconds",
      Kind.GAUGE,
      "when the next instant of any trigger is due, as seconds since 1970; 0 when there is none or"
          + " this replica does not lead"),
  BACKFILL_RUNS_CREATED(
      "belay_backfill_runs_started_total",
      Kind.COUNTER,
      "runs that backfills created on this leader"),
  BACKFILLS_ACTIVE(
      "belay_backfills_active",
      Kind.GAUGE,
      "backfills that are RUNNING; 0 when this replica does not lead"),
  BULK_CHANGED(
      "belay_bulk_changed_total",
      Kind.COUNTER,
      "kind",
      "",
      "tasks or runs that bulk operations changed on this leader, by the kind of the operation"),
  BULK_REFUSED(
      "belay_bulk_refused_total",
      Kind.COUNTER,
      "kind",
      "",
      "tasks or runs that bulk operations left as they were on this leader"),
  BULKS_ACTIVE(
      "belay_bulks_active",
      Kind.GAUGE,
      "bulk operations that are RUNNING; 0 when this replica does not lead"),
  CHAINS_FIRED(
      "belay_chains_fired_total",
      Kind.COUNTER,
      "outcome",
      "",
      "ends of runs that this leader decided, each for one trigger: `fired`, `skipped`"),
  EVENTS_RECEIVED(
      "belay_events_received_total",
      Kind.COUNTER,
      "source",
      "",
      "new events that this replica stored: by `api` or by a web`hook`"),
  EVENTS_FIRED(
      "belay_events_fired_total",
      Kind.COUNTER,
      "outcome",
      "",
      "events that this leader decided, each for one trigger: `fired`, `coalesced`, `waiting` (for"
          + " the end of its window), `filtered`, `skipped`, `failed`"),
  TRIGGERS_PENDING(
      "belay_triggers_pending",
      Kind.GAUGE,
      "cause",
      "",
      "ends of runs (`chain`) and events (`event`) that the leader has not looked at yet, counted"
          + " every 5 s; only on the leader"),
  LOG_BYTES("belay_log_bytes_total", Kind.COUNTER, "bytes of task logs stored"),
  LOG_REFUSED(
      "belay_log_refused_total",
      Kind.COUNTER,
      "reason",
      "",
      "chunks of task logs not stored; logs.md lists the reasons"),
  LOG_LEFT_OUT(
      "belay_log_left_out_bytes_total",
      Kind.COUNTER,
      "bytes of output missing from ended logs: over the limit, or lost for lack of space"),
  LOG_DISK_BYTES(
      "belay_log_disk_bytes", Kind.GAUGE, "bytes that task logs take on disk, counted hourly"),
  LOG_DISK_REFUSING(
      "belay_log_disk_refusing",
      Kind.GAUGE,
      "1 while the server stores no task logs for lack of space"),
  LOG_EVICTED("belay_log_evicted_total", Kind.COUNTER, "task logs deleted early to make room"),
  RETENTION_REMOVED(
      "belay_retention_removed_total",
      Kind.COUNTER,
      "kind",
      "",
      "finished tasks and runs removed: `task`, `run`"),
  RETENTION_BATCH(
      "belay_retention_batch_seconds",
      Kind.TIMER,
      "duration of one batch of retention: read, archive, remove"),
  RETENTION_FAILURES(
      "belay_retention_failures_total",
      Kind.COUNTER,
      "batches of retention that failed and removed nothing"),
  JOB_RUNS(
      "belay_job_runs_total",
      Kind.COUNTER,
      "job, outcome",
      "",
      "runs of periodic jobs on this replica: `done`, `failed`, `abandoned` (could not renew its"
          + " lease, or stopped), `lost` (another replica took over)"),
  JOB_RUN(
      "belay_job_run_seconds",
      Kind.TIMER,
      "job",
      "",
      "duration of a run of a periodic job, with its pauses"),
  JOB_LEASE_HELD(
      "belay_job_lease_held", Kind.GAUGE, "job", "", "1 while this replica runs the periodic job"),
  JOB_DONE_AGE(
      "belay_job_done_age_seconds",
      Kind.GAUGE,
      "job",
      "",
      "time since any replica last did the periodic job; every replica reports it"),
  BODY_BYTES("belay_body_bytes", Kind.GAUGE, "memory of request bodies that are being read"),
  WORK_BYTES("belay_work_bytes", Kind.GAUGE, "memory of requests in work, by an estimate"),
  ANSWER_BYTES("belay_answer_bytes", Kind.GAUGE, "memory of answers that wait to be written"),
  REQUESTS_REFUSED(
      "belay_requests_refused_total",
      Kind.COUNTER,
      "why",
      "",
      "requests refused to limit their cost: `bodies_full`, `answers_full`, `upload_slow`"),
  READERS_CUT(
      "belay_readers_cut_total",
      Kind.COUNTER,
      "connections closed because the client did not read its answer"),
  CONNECTIONS_OPEN(
      "belay_connections_open", Kind.GAUGE, "open connections of clients, without workers"),
  CONNECTIONS_OF_WORKERS("belay_connections_of_workers", Kind.GAUGE, "open connections of workers"),
  CONNECTIONS_REFUSED(
      "belay_connections_refused_total",
      Kind.COUNTER,
      "connections closed at once because too many were open and in use"),
  CONNECTIONS_CLOSED_IDLE(
      "belay_connections_closed_idle_total",
      Kind.COUNTER,
      "idle connections closed to make room for new ones"),
  WORKER_STREAMS("belay_worker_streams", Kind.GAUGE, "workers connected to this replica"),
  WORKER_SLOTS("belay_worker_slots", Kind.GAUGE, "slots of the workers connected to this replica"),
  WORKER_FREE_SLOTS(
      "belay_worker_free_slots",
      Kind.GAUGE,
      "how many more tasks the workers of this replica would take, by their last heartbeats"),
  WORKER_CPU(
      "belay_worker_cpu_percent",
      Kind.GAUGE,
      "of",
      "",
      "how busy the processors of the workers of this replica are: the `mean` and the `max`"),
  WORKER_GPU(
      "belay_worker_gpu_percent",
      Kind.GAUGE,
      "of",
      "",
      "the same of their GPUs, where `gpu-load-command` tells it; 0 when none does"),
  WORKERS_SET_ASIDE(
      "belay_worker_set_aside",
      Kind.GAUGE,
      "workers that get no work because tasks failed fast and often there, see workers.md; only at"
          + " the leader"),
  HELLOS_REFUSED(
      "belay_hellos_refused_total",
      Kind.COUNTER,
      "why",
      "",
      "hellos of workers refused: `older`, `wrong_key`, `revoked`, `malformed`"),
  WORKERS_UNREAD(
      "belay_workers_unread_total",
      Kind.COUNTER,
      "worker streams closed because the worker did not read its messages"),
  ROSTER_DRIFT(
      "belay_roster_drift_total",
      Kind.COUNTER,
      "kind",
      "",
      "dispatches by which a read of the workers differed from what the leader had counted:"
          + " `unknown` to it, or over `elsewhere`, by another replica, the reaper or a person"),
  LEADER("belay_leader", Kind.GAUGE, "1 while this replica leads"),
  LEADER_EPOCH("belay_leader_epoch", Kind.GAUGE, "epoch of this leader; 0 on a follower"),
  LEADER_CHANGES(
      "belay_leader_changes_total",
      Kind.COUNTER,
      "times that this replica started or stopped leading"),
  DATABASE_UP(
      "belay_database_up", Kind.GAUGE, "1 while the database answers and this server may use it"),
  SCHEMA_NEWER(
      "belay_schema_newer",
      Kind.GAUGE,
      "1 while the schema of the database is newer than this server: it does nothing until it is"
          + " updated"),
  FEED_HELD_BACK(
      "belay_feed_held_back_seconds",
      Kind.GAUGE,
      "how long a running transaction held the last read of the change feed back"),
  LOOP_RESTARTS(
      "belay_loop_restarts_total", Kind.COUNTER, "loops whose thread died and was replaced"),
  LOOPS_UNWELL("belay_loops_unwell", Kind.GAUGE, "loops that are dead, or stuck in one step"),
  THREADS(
      "belay_threads",
      Kind.GAUGE,
      "",
      "threads, active_goroutines",
      "platform threads of the process");

  /** The type of its Prometheus series. */
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

  /** Without a label, and without other names. */
  Metric(String text, Kind kind, String help) {
    this(text, kind, "", "", help);
  }

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

  /** The name of its label, or empty. */
  public String label() {
    return label;
  }

  /** The names that similar products use for it; empty when there are none. */
  public String answers() {
    return answers;
  }

  public String help() {
    return help;
  }
}
