package dev.belay.domain.limit;

import java.util.Locale;

/** What is limited. */
public enum LimitKind {
  /** Slots that the tasks of a pool hold. */
  POOL_SLOTS,
  /** Tasks of a tenant. */
  TENANT_LIMIT,
  /** Tasks of a workflow, over all its runs. */
  MAX_TASKS,
  /** Tasks of a tenant with a concurrency key. */
  CONCURRENCY,
  /** Starts of tasks of a tenant with a rate limit's key. */
  RATE_LIMIT;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
