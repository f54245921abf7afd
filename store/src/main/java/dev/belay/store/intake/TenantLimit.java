package dev.belay.store.intake;

import dev.belay.domain.system.IntakeCount;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a tenant that refused a submit.
 *
 * @param retryAfter null when the submit is too large for the limit, however long the caller waits
 */
public record TenantLimit(String tenant, IntakeCount.Limit limit, @Nullable Duration retryAfter) {

  /** Too many of the tenant's tasks wait, and that may change. */
  boolean isFull() {
    return limit == IntakeCount.Limit.MAX_WAITING && retryAfter != null;
  }
}
