package dev.belay.domain.spec;

import org.jspecify.annotations.Nullable;

/**
 * Limits on the runs of a workflow.
 *
 * @param maxActive how many may be RUNNING at a time, over all versions; null means no limit
 */
public record RunLimits(@Nullable Integer maxActive) {

  public static final int MAX_ACTIVE_MAX = 10_000;
  public static final RunLimits NONE = new RunLimits(null);
}
