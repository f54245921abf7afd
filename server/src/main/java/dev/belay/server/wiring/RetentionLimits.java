package dev.belay.server.wiring;

import dev.belay.settings.RetentionGroup;
import dev.belay.settings.Settings;
import java.time.Duration;

/**
 * How long Belay keeps old data, and how it deletes it.
 *
 * @param idempotency how long idempotency keys are kept
 * @param interval between two rounds of cleaning
 * @param rowsMax limit of rows deleted by one statement
 * @param weeksAhead for which partitions are created
 */
record RetentionLimits(
    Duration idempotency,
    Duration recoveries,
    Duration alerts,
    Duration replicas,
    Duration interval,
    int rowsMax,
    int weeksAhead) {

  static RetentionLimits of(Settings values) {
    return new RetentionLimits(
        values.of(RetentionGroup.IDEMPOTENCY_RETENTION),
        values.of(RetentionGroup.RECOVERY_RETENTION),
        values.of(RetentionGroup.ALERT_RETENTION),
        values.of(RetentionGroup.REPLICA_RETENTION),
        values.of(RetentionGroup.CLEAN_INTERVAL),
        values.of(RetentionGroup.CLEAN_BATCH),
        values.of(RetentionGroup.PARTITION_WEEKS));
  }
}
