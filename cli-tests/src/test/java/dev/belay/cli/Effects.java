package dev.belay.cli;

import dev.belay.settings.AgentGroup;
import dev.belay.settings.AgentLinkGroup;
import dev.belay.settings.AgentLogGroup;
import dev.belay.settings.DatabaseGroup;
import dev.belay.settings.EngineGroup;
import dev.belay.settings.EventGroup;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.HealthGroup;
import dev.belay.settings.JsonGroup;
import dev.belay.settings.LeaderGroup;
import dev.belay.settings.ReapGroup;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.RetentionGroup;
import dev.belay.settings.RetryGroup;
import dev.belay.settings.RoutingGroup;
import dev.belay.settings.ScheduleGroup;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.Setting;
import dev.belay.settings.TaskLogGroup;
import dev.belay.settings.WorkerGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where a running lite holds the value of a setting: the fields of the classes that use it. */
final class Effects {

  static final Map<Setting<?>, List<String>> SEEN = new LinkedHashMap<>();

  /** Marks a field that also holds other values. */
  static final String ANY = " among others";

  private Effects() {}

  private static void see(Setting<?> setting, String... fields) {
    SEEN.put(setting, List.of(fields));
  }

  static {
    see(ServerGroup.HOST, "Server.host");
    see(ServerGroup.IDLE_CONNECTION_MAX, "Server.idleTimeoutMillis");
    see(ServerGroup.PING, "Server.pingIntervalMillis");
    see(ServerGroup.STREAMS_MAX, "Server.http2MaxStreamsPerConnection");
    see(ServerGroup.CONNECTIONS_MAX, "Connections.most");
    see(ServerGroup.CONNECTIONS_PER_ADDRESS, "Connections.mostOfAddress");

    see(DatabaseGroup.ENGINE_CONNECTIONS, "EnginePool.size" + ANY);
    see(DatabaseGroup.DISPATCH_THREADS, "Dispatching.claimPermits");
    see(DatabaseGroup.DISPATCH_QUEUE, "DispatchPool.queueMax");
    see(
        DatabaseGroup.DATABASE_CONNECT_MAX,
        "EnginePool.connectionTimeout",
        "ApiPool.connectionTimeout");
    see(DatabaseGroup.API_STATEMENT_MAX, "ApiPool.statement_timeout");
    see(DatabaseGroup.ENGINE_STATEMENT_MAX, "EnginePool.statement_timeout");
    see(DatabaseGroup.LOCK_WAIT_MAX, "EnginePool.lock_timeout", "ApiPool.lock_timeout");
    see(
        DatabaseGroup.IDLE_TRANSACTION_MAX,
        "EnginePool.idle_in_transaction_session_timeout",
        "ApiPool.idle_in_transaction_session_timeout");
    see(DatabaseGroup.POSTGRES_CONNECTIONS, "EnginePool.max_connections");

    see(EngineGroup.TICK, "LeaderSettings.tick", "EngineSettings.tick", "Reaper.interval");
    see(EngineGroup.TICK_ROUNDS, "EngineSettings.roundsMax");
    see(EngineGroup.MARKS_MAX, "EngineSettings.marksMax");
    see(EngineGroup.DUES_MAX, "EngineSettings.duesMax");
    see(EngineGroup.CLAIM_MAX, "EngineSettings.claimMax");
    see(EngineGroup.RESULTS_BATCH, "EngineSettings.resultsMax");
    see(EngineGroup.RESULTS_QUEUE, "EngineSettings.resultsQueue");
    see(EngineGroup.RESULTS_RETRY, "EngineSettings.storeRetry");
    see(EngineGroup.MAILBOX_POLL, "Replica.mailboxPoll");
    see(
        EngineGroup.ROUTABLE_SILENCE,
        "PostgresDispatch.routableSilence",
        "Steering.routableSilence",
        "WaitReads.routableSilence");
    see(EngineGroup.WORKFLOWS_CACHED, "SpecCache.countMax" + ANY);

    see(LeaderGroup.LEADER_RENEW, "LeaderSettings.renew");
    see(LeaderGroup.LEADER_CAMPAIGN, "LeaderSettings.campaign");
    see(LeaderGroup.LEADER_TRUST, "LeaderSettings.trust");
    see(LeaderGroup.LEADER_QUERY, "ElectionSettings.query");
    see(LeaderGroup.LEADER_IDLE, "ElectionSettings.idle");
    see(LeaderGroup.EPOCH_LOCK_WAIT, "ElectionSettings.epochLockWait");
    see(LeaderGroup.PHASE_BUDGET, "LeaderSettings.phaseBudget");
    see(LeaderGroup.TICK_BUDGET, "LeaderSettings.tickBudget");
    see(LeaderGroup.STEP_DOWN, "Replica.stepDownMax");

    see(ReapGroup.AGENT_CLOSED, "ReapSettings.Liveness.closed", "Promises.reconnect");
    see(ReapGroup.AGENT_SILENT, "ReapSettings.Liveness.silent", "Promises.silence");
    see(ReapGroup.DISPATCH_LOST, "ReapSettings.Liveness.dispatchLost");
    see(ReapGroup.DISPATCH_GRACE, "ReapSettings.Grace.dispatch");
    see(ReapGroup.TAKEOVER_GRACE, "ReapSettings.Grace.takeover");
    see(ReapGroup.GRACE_SUM, "ReapSettings.Grace.sumMax");
    see(ReapGroup.DATABASE_GAP, "ReapSettings.Grace.databaseGap", "WaitReads.leaderSilence");
    see(ReapGroup.CLOCK_STEP, "ReapSettings.Grace.clockStep");
    see(ReapGroup.MASS_SHARE, "ReapSettings.Mass.share");
    see(ReapGroup.MASS_WORKERS, "ReapSettings.Mass.workersMin");
    see(ReapGroup.MASS_HOLD, "ReapSettings.Mass.hold");
    see(ReapGroup.RUNNING_MAX, "ReapSettings.Waits.running");
    see(ReapGroup.PENDING_MAX, "ReapSettings.Waits.pending");
    see(ReapGroup.APPROVAL_MAX, "ReapSettings.Waits.approval");
    see(ReapGroup.DEFERRAL_MAX, "ReapSettings.Waits.deferral");
    see(ReapGroup.ORPHAN_RUN, "ReapSettings.Waits.orphan");
    see(ReapGroup.ORPHAN_FAILS, "ReapSettings.Waits.orphanFails");
    see(ReapGroup.LEASE, "Lease.length");
    see(ReapGroup.LEASE_MARGIN, "Lease.margin");
    see(ReapGroup.REAP_BATCH, "ReapSettings.batch");
    see(ReapGroup.REAP_BATCHES, "ReapSettings.batchesMax");
    see(ReapGroup.REAP_TRIES, "ReapSettings.tries");
    see(RetryGroup.CRASH_WAITS, "RetryDecision.Waits.crash");
    see(RetryGroup.UNAVAILABLE_WAITS, "RetryDecision.Waits.unavailable");
    see(RetryGroup.REFUSED_WAIT, "RetryDecision.Waits.refused");
    see(RetryGroup.PLACEMENT_WAIT, "PlacementBackoff.first");
    see(RetryGroup.PLACEMENT_WAIT_MAX, "PlacementBackoff.max");
    see(RetryGroup.PLACEMENT_JITTER, "PlacementBackoff.jitterMax");
    see(RetryGroup.PLACEMENT_ATTEMPTS, "PlacementBackoff.triesMax");
    see(RetryGroup.DISPATCH_FAILED_WAIT, "StartBackoff.first");
    see(RetryGroup.DISPATCH_FAILED_WAIT_MAX, "StartBackoff.max");
    see(RetryGroup.DISPATCH_FAILED_JITTER, "StartBackoff.jitter");
    see(RetryGroup.DISPATCH_FAILED_ATTEMPTS, "StartBackoff.attempts");
    see(RetryGroup.DEAD_LETTER_FAILED, "DeadLetters.alsoFailed");

    see(
        WorkerGroup.HEARTBEAT,
        "GatewaySettings.heartbeatInterval",
        "AgentSession.heartbeatInterval");
    see(RoutingGroup.PRIORITY_AGEING, "Ageing.step");
    see(RoutingGroup.LAST_CHOICE_SHARE, "RoutingSettings.lastChoiceShare" + ANY);
    see(RoutingGroup.AVOID_OVERLOADED, "RoutingSettings.avoidOverloaded" + ANY);
    see(RoutingGroup.OVERLOADED_SHARE, "RoutingSettings.overloadedShare" + ANY);
    see(RoutingGroup.RESERVATION_KEPT, "RoutingSettings.reservationKept" + ANY);
    see(RoutingGroup.REFUSED_FOR, "RoutingSettings.refusedFor" + ANY);
    see(WorkerGroup.MISSED_HEARTBEATS, "GatewaySettings.Limits.missedHeartbeats");
    see(WorkerGroup.ABORT_GRACE, "GatewaySettings.abortGrace");
    see(WorkerGroup.WORKER_SLOTS_MAX, "GatewaySettings.Limits.slotsMax");
    see(WorkerGroup.WORKER_UNREAD_MAX, "UnreadBound.bytesMax");
    see(WorkerGroup.WORKER_UNREAD_FOR, "UnreadBound.longest");
    see(WorkerGroup.WORKER_MESSAGE_MAX, "FramedGrpcService.maxRequestMessageLength");
    see(WorkerGroup.WORKER_IDS_MAX, "GatewaySettings.Limits.idsMax");
    see(WorkerGroup.WORKER_EVENTS_MAX, "GatewaySettings.Limits.awaitingMax");
    see(WorkerGroup.WORKER_LIST_MAX, "GatewaySettings.Limits.listMax");
    see(WorkerGroup.WORKER_TEXT_MAX, "GatewaySettings.Limits.textMax");
    see(WorkerGroup.SET_ASIDE_FAILURES, "TrustSettings.failures");
    see(WorkerGroup.SET_ASIDE_FAST, "TrustSettings.fast");
    see(WorkerGroup.SET_ASIDE_WINDOW, "TrustSettings.window");
    see(WorkerGroup.OUTCOME_DETAIL_MAX, "GatewaySettings.Limits.detailMax");
    see(WorkerGroup.ASSIGN_MAX, "GatewaySettings.Limits.assignMax");
    see(WorkerGroup.ASSIGN_BYTES_MAX, "GatewaySettings.Limits.assignBytesMax");

    see(RequestGroup.BODY_MAX, "Server.maxRequestLength" + ANY);
    see(
        RequestGroup.REQUEST_TIME_MAX,
        "Server.requestTimeoutMillis",
        "BodyReader.Limits.requestMax");
    see(RequestGroup.SUBMITS_AT_ONCE, "RouteService.permits");
    see(RequestGroup.UPLOAD_RATE_MIN, "BodyReader.Limits.rateMin");
    see(RequestGroup.UPLOAD_STALL_MAX, "BodyReader.Limits.stallMax");
    see(RequestGroup.UPLOAD_TIME_MAX, "BodyReader.Limits.timeMax");
    see(RequestGroup.ANSWER_STALL_MAX, "Answering.stallMax");
    see(RequestGroup.ANSWER_TIME_MAX, "Answering.timeMax");
    see(RequestGroup.WAITERS_MAX, "Waiting.waiters");
    see(RequestGroup.CHECK_SMALL_MAX, "Checking.smallMax");
    see(RequestGroup.CHECK_MAX, "Checking.patience");

    see(JsonGroup.JSON_VALUES_MAX, "JsonGuard.valuesMax");
    see(JsonGroup.JSON_DEPTH_MAX, "JsonGuard.depthMax");
    see(JsonGroup.JSON_STRING_MAX, "JsonGuard.stringMax");
    see(JsonGroup.JSON_NUMBER_MAX, "JsonGuard.digitsMax");
    see(JsonGroup.JSON_NAME_MAX, "JsonGuard.nameMax");
    see(JsonGroup.JSON_KEYS_MAX, "JsonGuard.keysMax");

    see(ExpressionGroup.RUN_EXPRESSION_CHARS, "ExpressionLimits.allChars" + ANY);
    see(ExpressionGroup.PLAN_WAITING, "PlanPool.Limits.waiting");
    see(ExpressionGroup.PLAN_RUNS, "PlanPool.Limits.runs");
    see(ExpressionGroup.PLAN_PATIENCE, "PlanPool.Limits.patience");
    see(ExpressionGroup.STRAY_THREADS, "WorkPool.Size.strayMax");

    see(
        TaskLogGroup.LOG_MAX,
        "LogStore.maxBytes",
        "LogGateway.Bounds.maxBytes",
        "LogSettings.dispatchMaxBytes");
    see(TaskLogGroup.LOG_TASK_MAX, "LogAccess.taskMaxBytes");
    see(TaskLogGroup.LOG_WORKER_RATE, "LogRates.bytesPerSecond");
    see(TaskLogGroup.LOG_DISK_MAX, "LogDisk.maxBytes");
    see(TaskLogGroup.LOG_DISK_FREE, "LogDisk.freeBytes");
    see(TaskLogGroup.LOG_ROOM_LOOK, "Upkeep.logRoomLook");
    see(TaskLogGroup.LOG_RETRY, "LogGateway.Bounds.retry");
    see(TaskLogGroup.LOG_THREADS, "LogGateway.executor.threads");
    see(TaskLogGroup.LOG_DISPATCHES_MAX, "WaitingLogs.max", "LogRates.workersMax");

    see(HealthGroup.BEAT, "Replica.beatEvery");
    see(HealthGroup.PROBE, "DatabaseProbe.every");
    see(HealthGroup.DATABASE_SILENCE, "DatabaseProbe.silenceMax");
    see(HealthGroup.TICK_SILENCE, "Health.tickSilence");
    see(HealthGroup.STEP_MAX, "Loops.stepMax");

    see(EventGroup.CHAIN_DEPTH_MAX, "ChainPhase.Starts.depthMax");
    see(EventGroup.EVENTS_MAX, "EventHandlers.eventsMax");
    see(EventGroup.EVENT_DATA_MAX, "EventHandlers.dataMax", "HookHandlers.dataMax");
    see(EventGroup.HOOK_SKEW, "HookHandlers.skew");
    see(EventGroup.HOOK_DIR, "HookKeys.folder");
    see(ScheduleGroup.SCHEDULE_BATCH, "ScheduleSettings.batch");
    see(ScheduleGroup.SCHEDULE_INSTANTS, "ScheduleSettings.instants");
    see(ScheduleGroup.SCHEDULE_POLL, "ScheduleSettings.poll");
    see(ScheduleGroup.SCHEDULE_RETRY, "ScheduleSettings.retry");
    see(ScheduleGroup.PARAMS_PATIENCE, "ComputedParams.patience");
    see(ScheduleGroup.SCHEDULE_PROMISE, "PromiseSettings.schedulePromise");
    see(ScheduleGroup.PROMISES_BATCH, "PromiseSettings.batch");
    see(ScheduleGroup.BACKFILL_BATCH, "BackfillPhase.Settings.batch");
    see(ScheduleGroup.BACKFILL_INSTANTS_MAX, "BackfillHandlers.instantsMax");
    see(ScheduleGroup.BULK_BATCH, "BulkPhase.Settings.batch");
    see(ScheduleGroup.BULK_RUNNING_MAX, "BulkHandlers.runningMax");

    see(RetentionGroup.TASK_RETENTION, "RetentionSettings.age");
    see(RetentionGroup.RETENTION_BATCH, "RetentionSettings.batch");
    see(RetentionGroup.RETENTION_SHARE, "RetentionSettings.share");
    see(RetentionGroup.RETENTION_ARCHIVE, "ArchiveFolder.folder");
    see(RetentionGroup.LOG_RETENTION, "LogStore.retention");
    see(RetentionGroup.IDEMPOTENCY_RETENTION, "RetentionLimits.idempotency");
    see(RetentionGroup.WORKER_RETENTION, "ForgottenWorkers.unseen");
    see(RetentionGroup.REPLACED_WORKER_RETENTION, "ForgottenWorkers.replaced");
    see(RetentionGroup.WORKER_KEY_RETENTION, "ForgottenWorkers.keys");
    see(RetentionGroup.RECOVERY_RETENTION, "RetentionLimits.recoveries");
    see(RetentionGroup.ALERT_RETENTION, "RetentionLimits.alerts");
    see(RetentionGroup.FIRE_RETENTION, "RetentionLimits.fires");
    see(RetentionGroup.BACKFILL_RETENTION, "RetentionLimits.backfills");
    see(RetentionGroup.BULK_RETENTION, "RetentionLimits.bulks");
    see(RetentionGroup.EVENT_RETENTION, "RetentionLimits.events");
    see(RetentionGroup.CHAIN_RETENTION, "RetentionLimits.chains");
    see(RetentionGroup.DEAD_LETTER_RETENTION, "RetentionLimits.deadLetters");
    see(RetentionGroup.REPLICA_RETENTION, "RetentionLimits.replicas");
    see(RetentionGroup.CLEAN_INTERVAL, "Upkeep.cleanEvery", "PeriodicJob.period");
    see(RetentionGroup.JOB_LEASE_TTL, "PeriodicJob.ttl");
    see(RetentionGroup.CHANGE_RETENTION, "RetentionLimits.changes");
    see(RetentionGroup.CLEAN_BATCH, "RetentionLimits.rowsMax");

    see(AgentGroup.POOL, "Offer.pools");
    see(AgentGroup.SLOTS, "Offer.slots");
    see(AgentGroup.MEMORY, "Offer.Resources.memoryBytes");
    see(AgentGroup.CPU, "Offer.Resources.cpuMillis");
    see(AgentGroup.GPU_LOAD_INTERVAL, "GpuSettings.interval");
    see(AgentGroup.GPU_LOAD_TIMEOUT, "GpuSettings.timeout");
    see(AgentGroup.STOP_GRACE, "AgentSettings.stopGrace", "ProcessSettings.grace");
    see(AgentGroup.DRAIN_TIMEOUT, "AgentSettings.drainTimeout");
    see(AgentGroup.PREPARE_THREADS, "Threads.prepare.threads");
    see(AgentGroup.OUTPUT_DRAIN, "ProcessSettings.drain");
    see(AgentGroup.DISK_RESERVE, "ReserveSettings.spaceBytes");
    see(AgentGroup.DISK_FREE_MIN, "ReserveSettings.freeMinBytes");
    see(AgentGroup.DESCRIPTOR_RESERVE, "ReserveSettings.descriptors");
    see(AgentGroup.JOURNAL_COMPACT, "JournalSettings.compactAtBytes");
    see(AgentGroup.SETTLED_MAX, "JournalSettings.settledMax", "AgentSettings.settledMax");
    see(AgentGroup.HELD_MAX, "AgentSettings.heldMax");

    see(AgentLinkGroup.RECONNECT_MIN, "AgentSettings.backoffMin");
    see(AgentLinkGroup.RECONNECT_MAX, "AgentSettings.backoffMax");
    see(AgentLinkGroup.SERVER_CONNECT_MAX, "LinkSettings.connectTimeout");
    see(AgentLinkGroup.SERVER_PING, "LinkSettings.pingInterval");
    see(AgentLinkGroup.WELCOME_MAX, "AgentSettings.welcomeMax");
    see(AgentLinkGroup.SERVER_SILENCE, "AgentSettings.silenceMax");
    see(AgentLinkGroup.SERVER_MESSAGE_MAX, "LinkSettings.messageMaxBytes");
    see(AgentLinkGroup.JOURNAL_BATCH, "LinkSettings.eventsMax");
    see(AgentLinkGroup.DISK_LOOK, "LinkSettings.probeInterval");

    see(AgentLogGroup.LOG_SPOOL_MAX, "LogSettings.totalMaxBytes");
    see(AgentLogGroup.LOG_LINE_MAX, "LogSettings.lineMaxBytes");
    see(AgentLogGroup.LOG_CHUNK_MAX, "LogSettings.chunkMaxBytes");
    see(AgentLogGroup.LOG_IN_FLIGHT, "LogSettings.inFlightMax");
    see(AgentLogGroup.LOG_RESENDS, "LogSettings.resendMax");
    see(AgentLogGroup.LOG_SHIP_WAIT, "LogSettings.shipWait");
    see(AgentLogGroup.LOG_PAUSE_MAX, "LogSettings.pauseMax");
  }
}
