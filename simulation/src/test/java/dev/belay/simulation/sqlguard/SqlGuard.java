package dev.belay.simulation.sqlguard;

/**
 * A condition, or a lock, in the text of a statement that keeps two writers from harm. Conditions
 * that repeat what a lock or another condition already ensures are not among them.
 */
enum SqlGuard {
  CLAIM_STATE("dispatch/claim_tasks", "AND CAST(task.state AS text) = 'SCHEDULED'"),
  CLAIM_SESSION(
      "dispatch/claim_tasks",
      "((worker_id, session_id) IN (SELECT live.id, live.session_id FROM live)) IS TRUE",
      "(worker_id IN (SELECT live.id FROM live)) IS TRUE"),
  CLAIM_EPOCH("dispatch/claim_tasks", "AND EXISTS (SELECT 1 FROM leadership WHERE epoch = :epoch)"),
  CLAIM_ATTEMPT(
      "dispatch/claim_tasks",
      "AND (task.dispatch_id IS NULL OR task.dispatch_id = earlier.dispatch_id)"),
  CLAIM_QUEUE(
      "dispatch/claim_tasks", "AND task.queue_id = coalesce(input.queue_id, task.queue_id)"),
  CLAIM_LOCK("dispatch/claim_tasks", "FOR UPDATE OF task"),
  CLAIM_SETTLED("leader/await_holders", "pg_advisory_xact_lock(", "pg_advisory_xact_lock_shared("),
  USUAL_DISPATCH("result/write_usual", "AND task.dispatch_id = input.dispatch_id"),
  USUAL_SESSION("result/write_usual", "AND task.session_id = input.session_id"),
  USUAL_STATE("result/write_usual", "AND task.state = input.from_state"),
  RESULT_LOCK("result/lock_tasks", "FOR UPDATE OF task"),
  DUE_AGAIN(
      "admit/lock_due",
      "AND task.not_before <= (SELECT now FROM clock)\nORDER BY task.id",
      "ORDER BY task.id"),
  GIVE_UP_STATE("deadletter/give_up", "AND CAST(task.state AS text) = 'SCHEDULED'"),
  GIVE_UP_AGAIN(
      "deadletter/give_up",
      "AND task.state_since <= locked.waiting_since\n  RETURNING",
      "RETURNING"),
  CANCEL_NEW_STATE("limit/cancel_new", "AND CAST(task.state AS text) = 'SCHEDULED'"),
  CANCEL_NEW_FULL(
      "limit/cancel_new",
      "wanted.places <= (SELECT sum(holding.tasks)",
      "0 <= (SELECT coalesce(sum(holding.tasks), 0)"),
  WITHDRAW_LOCK("limit/withdraw_tokens", "FOR UPDATE OF rate_bucket"),
  TIME_OUT_STATE("promise/time_out_runs", "AND run.state = 'RUNNING'"),
  TIME_OUT_AGAIN("promise/time_out_runs", "AND run.timeout_at <= now"),
  TIME_OUT_ONCE("promise/time_out_runs", "AND run.timed_out_at IS NULL"),
  TIME_OUT_CANCELLED("promise/time_out_runs", "AND run.cancel_requested_at IS NULL"),
  MOVE_STATE("plan/move_tasks", "AND task.state = input.from_state"),
  MOVE_GENERATION("plan/move_tasks", "AND input.generation IN (0, task.generation)"),
  STEER_LOCK("steer/lock_run_tasks", "FOR UPDATE"),
  START_STATE("plan/start_runs", "AND run.state = 'QUEUED'"),
  BACKFILL_CANCEL_LOCK("backfill/lock_workflow", "FOR NO KEY UPDATE OF c"),
  BACKFILL_CANCEL_SEEN("runqueue/lock_controls", "OR changed.of_backfill"),
  BACKFILL_CANCEL_HELD(
      "runqueue/read_held", "WHERE wanted.cancelled\n   OR gate.paused", "WHERE gate.paused"),
  BACKFILL_STATE("backfill/advance_backfill", "AND state = 'RUNNING'"),
  BACKFILL_TRIGGER_LOCK("backfill/lock_triggers", "FOR NO KEY UPDATE OF v"),
  RUN_QUEUE_LOCK("runqueue/lock_controls", "FOR NO KEY UPDATE OF c"),
  WITNESS_LOCK("reap/lock_workers", "FOR SHARE"),
  CANCEL_LOCK("steer/lock_task", "FOR UPDATE"),
  CANCEL_ABORT_FIRST("steer/abort_dispatches_of_run", "AND task.abort_reason IS NULL"),
  TERMINATE_FIRST("steer/abort_dispatch", "AND abort_reason IS NULL"),
  PLAN_ABORT_FIRST("plan/abort_tasks", "AND abort_reason IS NULL"),
  PLAN_ABORT_STATE("plan/abort_tasks", "AND CAST(state AS text) IN ('DISPATCHED', 'RUNNING')"),
  REBIND_STATE(
      "worker/rebind_tasks",
      "AND (CAST(task.state AS text) = 'DISPATCHED' OR (CAST(task.state AS text) = 'RUNNING' AND"
          + " input.adopted))"),
  FIRE_CURSOR("schedule/advance_versions", "AND v.next_at IS NOT DISTINCT FROM i.seen_at"),
  FIRE_UNTIL("schedule/advance_versions", "AND v.until_at IS NOT DISTINCT FROM i.until_at"),
  FIRE_PAUSED("schedule/advance_versions", "AND (v.paused_at IS NOT NULL) = i.paused"),
  FIRE_REPLAY("schedule/advance_versions", "AND v.replay_from IS NOT DISTINCT FROM i.seen_replay"),
  FIRE_LOCK("schedule/lock_controls", "FOR NO KEY UPDATE OF c"),
  CHANGED_TRIGGER_LOCK("schedule/lock_triggers", "FOR UPDATE OF v"),
  HELLO_ORDER(
      "worker/register_worker",
      "ELSE known.session_number < EXCLUDED.session_number END",
      "ELSE true END");

  final String statement;
  final String text;
  final String instead;

  SqlGuard(String statement, String text) {
    this(statement, text, "");
  }

  SqlGuard(String statement, String text, String instead) {
    this.statement = statement;
    this.text = text;
    this.instead = instead;
  }
}
