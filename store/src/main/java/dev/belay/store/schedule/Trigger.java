package dev.belay.store.schedule;

import dev.belay.store.read.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trigger as its workflow has it now, or had it last.
 *
 * @param spec as the file describes it, without parameters
 * @param last the newest row of its ledger
 */
public record Trigger(
    Name name,
    String kind,
    @Nullable String source,
    Json spec,
    Span span,
    Pauses pauses,
    @Nullable Fire last) {

  /** Its identity. */
  public record Name(UUID id, String tenant, String workflow, String name) {}

  /**
   * @param from when the workflow's file last changed it
   * @param until when the file dropped it; null while the workflow has it
   * @param next its first instant that is not decided
   * @param due when the leader looks at it
   */
  public record Span(
      Instant from, @Nullable Instant until, @Nullable Instant next, @Nullable Instant due) {}

  /**
   * @param at null while the trigger is not paused
   * @param workflowAt null while the workflow is not paused
   */
  public record Pauses(
      @Nullable Instant at,
      @Nullable String by,
      @Nullable Instant workflowAt,
      @Nullable String workflowBy) {}

  /** A trigger that the workflow no longer has. */
  public record Removed(UUID id, String name, Instant removedAt) {}

  /**
   * A row of the ledger.
   *
   * @param at the instant
   * @param due the instant with its jitter
   * @param reason why it was skipped, or what was checked
   * @param run set when it fired
   * @param into the instant that fired for it
   */
  public record Fire(
      UUID triggerId,
      String trigger,
      Instant at,
      Instant due,
      String outcome,
      @Nullable String reason,
      @Nullable UUID run,
      @Nullable Instant into,
      Instant decidedAt) {

    /** How long after it was due it was decided. */
    public Duration late() {
      Duration late = Duration.between(due, decidedAt);
      return late.isNegative() ? Duration.ZERO : late;
    }
  }
}
