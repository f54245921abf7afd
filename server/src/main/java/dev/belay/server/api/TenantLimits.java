package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.system.IntakeCount;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.store.intake.TenantLimit;
import java.time.Duration;

/** The answer to a submit that a tenant's limits refuse. */
final class TenantLimits {

  private TenantLimits() {}

  static Refused refused(TenantLimit limit, BelayMetrics metrics) {
    metrics.tasks().limited(limit.limit());
    var what =
        switch (limit.limit()) {
          case MAX_WAITING -> "max_waiting";
          case SUBMIT_RATE -> "submit_rate";
        };
    var retryAfter = limit.retryAfter();
    if (retryAfter == null) {
      return new Refused(
          Problem.of(
                  HttpStatus.UNPROCESSABLE_ENTITY,
                  "The submit is larger than the %s of the tenant %s allows at all; nothing was stored. Send fewer tasks at once. `belay tenants show %s` shows its limits."
                      .formatted(what, limit.tenant(), limit.tenant()))
              .ofType("submit-too-large"));
    }
    var why =
        limit.limit() == IntakeCount.Limit.MAX_WAITING
            ? "has as many waiting tasks as its max_waiting allows"
            : "submits faster than its submit_rate allows";
    return new Refused(
        Problem.of(
                HttpStatus.TOO_MANY_REQUESTS,
                "The tenant %s %s; nothing was stored. Try again later. `belay tenants show %s` shows its limits."
                    .formatted(limit.tenant(), why, limit.tenant()))
            .ofType("tenant-limit")
            .with("retry-after", String.valueOf(seconds(retryAfter))));
  }

  /** Rounded up: the header has whole seconds. */
  private static long seconds(Duration wait) {
    return Math.max(1, wait.plusMillis(999).toSeconds());
  }
}
