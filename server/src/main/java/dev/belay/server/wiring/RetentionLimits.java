package dev.belay.server.wiring;

import dev.belay.settings.RetentionGroup;
import dev.belay.settings.Settings;
import java.time.Duration;

/**
 * How long Belay keeps old data, and how it deletes it.
 *
 * @param idempotency how long idempotency keys are kept
 * @param rowsMax limit of rows deleted by one statement
 */
record RetentionLimits(
    Duration idempotency,
    Duration recoveries,
    Duration alerts,
    Duration replicas,
    Duration changes,
    Duration fires,
    Duration backfills,
    Duration bulks,
    Duration events,
    Duration chains,
    Duration deadLetters,
    Duration tasks,
    int rowsMax) {

  static RetentionLimits of(Settings values) {
    return new RetentionLimits(
        values.of(RetentionGroup.IDEMPOTENCY_RETENTION),
        values.of(RetentionGroup.RECOVERY_RETENTION),
        values.of(RetentionGroup.ALERT_RETENTION),
        values.of(RetentionGroup.REPLICA_RETENTION),
        values.of(RetentionGroup.CHANGE_RETENTION),
        values.of(RetentionGroup.FIRE_RETENTION),
        values.of(RetentionGroup.BACKFILL_RETENTION),
        values.of(RetentionGroup.BULK_RETENTION),
        values.of(RetentionGroup.EVENT_RETENTION),
        values.of(RetentionGroup.CHAIN_RETENTION),
        values.of(RetentionGroup.DEAD_LETTER_RETENTION),
        values.of(RetentionGroup.TASK_RETENTION),
        values.of(RetentionGroup.CLEAN_BATCH));
  }
}
