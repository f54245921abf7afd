package dev.belay.server.wiring;

import dev.belay.settings.RetentionGroup;
import dev.belay.settings.Settings;
import java.time.Duration;

/**
 * How long what is over is kept, and how it is removed.
 *
 * @param idempotency how long idempotency keys are remembered
 * @param interval between two rounds of cleaning
 * @param rowsMax rows that one statement removes
 * @param weeksAhead for which partitions are made
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
