package dev.belay.server;

import dev.belay.domain.fair.Ageing;
import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.reap.Lease;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.settle.StartBackoff;
import dev.belay.domain.trust.TrustSettings;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.bulk.BulkPhase;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.plan.PlanPool;
import dev.belay.engine.schedule.BackfillPhase;
import dev.belay.engine.schedule.PromiseSettings;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.settings.DatabaseGroup;
import dev.belay.settings.EngineGroup;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.LeaderGroup;
import dev.belay.settings.ReapGroup;
import dev.belay.settings.RetryGroup;
import dev.belay.settings.RoutingGroup;
import dev.belay.settings.ScheduleGroup;
import dev.belay.settings.Settings;
import dev.belay.settings.WorkerGroup;
import dev.belay.store.Database;
import dev.belay.store.leader.ElectionSettings;
import dev.belay.workflow.ExpressionLimits;

/**
 * Converts a server's settings to the types that the modules below take. Those modules know no
 * names, files or flags.
 */
public final class EngineParts {

  private static final int BACKFILLS_READ = 1_000;
  private static final int BULKS_READ = 1_000;

  /** Ids of items that a bulk operation reads ahead: small, and few operations run at once. */
  private static final int BULK_LOOKS = 2_000;

  private EngineParts() {}

  public static EngineSettings engine(Settings values) {
    return new EngineSettings(
        values.of(EngineGroup.TICK),
        values.of(EngineGroup.MARKS_MAX),
        values.of(EngineGroup.DUES_MAX),
        values.of(EngineGroup.TICK_ROUNDS),
        values.of(EngineGroup.CLAIM_MAX),
        values.of(DatabaseGroup.DISPATCH_THREADS),
        values.of(DatabaseGroup.DISPATCH_QUEUE),
        values.of(EngineGroup.RESULTS_BATCH),
        values.of(EngineGroup.RESULTS_QUEUE),
        values.of(EngineGroup.RESULTS_RETRY));
  }

  public static DispatchPhase.Choosing choosing(Settings values) {
    return new DispatchPhase.Choosing(
        new RoutingSettings(
            values.of(RoutingGroup.LAST_CHOICE_SHARE),
            values.of(RoutingGroup.OVERLOADED_SHARE),
            values.of(RoutingGroup.AVOID_OVERLOADED),
            values.of(RoutingGroup.RESERVATION_KEPT),
            values.of(RoutingGroup.REFUSED_FOR)),
        new Ageing(values.of(RoutingGroup.PRIORITY_AGEING)));
  }

  public static LeaderSettings leader(Settings values) {
    return new LeaderSettings(
        values.of(EngineGroup.TICK),
        values.of(LeaderGroup.LEADER_RENEW),
        values.of(LeaderGroup.LEADER_CAMPAIGN),
        values.of(LeaderGroup.LEADER_TRUST),
        values.of(LeaderGroup.PHASE_BUDGET),
        values.of(LeaderGroup.TICK_BUDGET));
  }

  public static ScheduleSettings schedules(Settings values) {
    return new ScheduleSettings(
        values.of(ScheduleGroup.SCHEDULE_BATCH),
        values.of(ScheduleGroup.SCHEDULE_INSTANTS),
        values.of(ScheduleGroup.SCHEDULE_POLL),
        values.of(ScheduleGroup.SCHEDULE_RETRY));
  }

  public static BackfillPhase.Settings backfills(Settings values) {
    return new BackfillPhase.Settings(
        values.of(ScheduleGroup.BACKFILL_BATCH),
        BACKFILLS_READ,
        values.of(ScheduleGroup.SCHEDULE_POLL));
  }

  public static BulkPhase.Settings bulks(Settings values) {
    return new BulkPhase.Settings(
        values.of(ScheduleGroup.BULK_BATCH),
        BULK_LOOKS,
        BULKS_READ,
        values.of(ScheduleGroup.SCHEDULE_POLL));
  }

  public static ElectionSettings election(Settings values) {
    return new ElectionSettings(
        values.of(LeaderGroup.LEADER_QUERY),
        values.of(LeaderGroup.EPOCH_LOCK_WAIT),
        values.of(LeaderGroup.LEADER_IDLE));
  }

  public static ReapSettings reap(Settings values) {
    return new ReapSettings(
        new ReapSettings.Liveness(
            values.of(ReapGroup.AGENT_CLOSED),
            values.of(ReapGroup.AGENT_SILENT),
            values.of(ReapGroup.DISPATCH_LOST)),
        grace(values),
        new ReapSettings.Waits(
            values.of(ReapGroup.RUNNING_MAX),
            values.of(ReapGroup.PENDING_MAX),
            values.of(ReapGroup.APPROVAL_MAX),
            values.of(ReapGroup.DEFERRAL_MAX),
            values.of(ReapGroup.ORPHAN_RUN),
            values.of(ReapGroup.ORPHAN_FAILS)),
        lease(values),
        values.of(ReapGroup.REAP_BATCH),
        values.of(ReapGroup.REAP_BATCHES),
        values.of(ReapGroup.REAP_TRIES));
  }

  public static PromiseSettings promises(Settings values) {
    return new PromiseSettings(
        values.of(ScheduleGroup.PROMISES_BATCH),
        values.of(EngineGroup.TICK),
        values.of(ScheduleGroup.SCHEDULE_PROMISE));
  }

  private static ReapSettings.Grace grace(Settings values) {
    return new ReapSettings.Grace(
        values.of(ReapGroup.DISPATCH_GRACE),
        values.of(ReapGroup.TAKEOVER_GRACE),
        values.of(ReapGroup.GRACE_SUM),
        values.of(ReapGroup.DATABASE_GAP),
        values.of(ReapGroup.CLOCK_STEP),
        new ReapSettings.Mass(
            values.of(ReapGroup.MASS_SHARE),
            values.of(ReapGroup.MASS_WORKERS),
            values.of(ReapGroup.MASS_HOLD)));
  }

  public static Lease lease(Settings values) {
    return new Lease(values.of(ReapGroup.LEASE), values.of(ReapGroup.LEASE_MARGIN));
  }

  public static GatewaySettings gateway(Settings values, String replica) {
    return new GatewaySettings(
        replica,
        values.of(WorkerGroup.HEARTBEAT),
        values.of(WorkerGroup.ABORT_GRACE),
        new GatewaySettings.Limits(
            values.of(WorkerGroup.WORKER_IDS_MAX),
            values.of(WorkerGroup.WORKER_EVENTS_MAX),
            values.of(WorkerGroup.WORKER_LIST_MAX),
            values.of(WorkerGroup.WORKER_TEXT_MAX),
            values.of(WorkerGroup.OUTCOME_DETAIL_MAX),
            values.of(WorkerGroup.ASSIGN_MAX),
            Math.toIntExact(values.of(WorkerGroup.ASSIGN_BYTES_MAX)),
            values.of(WorkerGroup.WORKER_SLOTS_MAX),
            values.of(WorkerGroup.MISSED_HEARTBEATS)),
        lease(values));
  }

  public static TrustSettings trust(Settings values) {
    return new TrustSettings(
        values.of(WorkerGroup.SET_ASIDE_FAILURES),
        values.of(WorkerGroup.SET_ASIDE_FAST),
        values.of(WorkerGroup.SET_ASIDE_WINDOW));
  }

  public static PlanPool.Limits plans(Settings values) {
    return new PlanPool.Limits(
        values.of(ExpressionGroup.PLAN_RUNS),
        values.of(ExpressionGroup.PLAN_WAITING),
        values.of(ExpressionGroup.PLAN_PATIENCE),
        values
            .of(ExpressionGroup.RUN_EXPRESSION_TIME)
            .plus(values.of(ExpressionGroup.PLAN_STUCK_GRACE)));
  }

  public static ExpressionLimits expressions(Settings values) {
    return new ExpressionLimits(
        new ExpressionLimits.Bound(
            values.of(ExpressionGroup.EXPRESSION_STEPS),
            values.of(ExpressionGroup.EXPRESSION_TIME)),
        new ExpressionLimits.Bound(
            values.of(ExpressionGroup.RUN_EXPRESSION_STEPS),
            values.of(ExpressionGroup.RUN_EXPRESSION_TIME)),
        values.of(ExpressionGroup.RUN_EXPRESSION_CHARS));
  }

  public static RetryDecision.Waits retries(Settings values) {
    return new RetryDecision.Waits(
        values.of(RetryGroup.CRASH_WAITS),
        values.of(RetryGroup.UNAVAILABLE_WAITS),
        values.of(RetryGroup.REFUSED_WAIT),
        new StartBackoff(
            values.of(RetryGroup.DISPATCH_FAILED_WAIT),
            values.of(RetryGroup.DISPATCH_FAILED_WAIT_MAX),
            values.of(RetryGroup.DISPATCH_FAILED_JITTER),
            values.of(RetryGroup.DISPATCH_FAILED_ATTEMPTS)));
  }

  public static PlacementBackoff placements(Settings values) {
    return new PlacementBackoff(
        values.of(RetryGroup.PLACEMENT_WAIT),
        values.of(RetryGroup.PLACEMENT_WAIT_MAX),
        values.of(RetryGroup.PLACEMENT_JITTER),
        values.of(RetryGroup.PLACEMENT_ATTEMPTS));
  }

  public static Database.Bounds database(Settings values) {
    return new Database.Bounds(
        values.of(DatabaseGroup.DATABASE_CONNECT_MAX),
        values.of(DatabaseGroup.API_STATEMENT_MAX),
        values.of(DatabaseGroup.ENGINE_STATEMENT_MAX),
        values.of(DatabaseGroup.LOCK_WAIT_MAX),
        values.of(DatabaseGroup.IDLE_TRANSACTION_MAX));
  }
}
