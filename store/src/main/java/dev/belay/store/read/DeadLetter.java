package dev.belay.store.read;

import java.time.Instant;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * A task that Belay gave up.
 *
 * @param attempts how often the task was dispatched
 * @param retryOf the dead letter that the task was a retry of
 * @param retries how many dead letters in a row led to this one
 * @param retriedAs the task that it was retried as; its own task when that runs again
 */
public record DeadLetter(
    UUID id,
    UUID task,
    @Nullable UUID run,
    String tenant,
    @Nullable String topic,
    @Nullable String pool,
    @Nullable String workflow,
    String name,
    String reason,
    String detail,
    String fingerprint,
    long attempts,
    Instant createdAt,
    @Nullable UUID retryOf,
    int retries,
    @Nullable UUID retriedAs,
    @Nullable Instant retriedAt,
    @Nullable String retriedBy) {

  /** One dead letter with its request, which is too big for a list. */
  public record Detail(@Nested DeadLetter letter, Json request) {}

  /**
   * Dead letters with the same cause.
   *
   * @param cause the detail without what differs between them
   * @param open those that nobody has retried
   * @param newest the id of the newest one
   */
  public record Group(
      String fingerprint,
      String reason,
      String cause,
      long count,
      long open,
      Instant oldestAt,
      Instant newestAt,
      UUID newest) {}

  /**
   * Selects dead letters; null means any.
   *
   * @param since written then or later
   * @param open only those that nobody has retried, or only the others
   */
  public record Filter(
      String tenant,
      @Nullable String reason,
      @Nullable String topic,
      @Nullable String workflow,
      @Nullable String fingerprint,
      @Nullable Instant since,
      @Nullable Boolean open) {}
}
