package dev.belay.store.worker;

import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * How long Belay remembers workers that hold no tasks.
 *
 * @param unseen without a sign of life
 * @param replaced after another worker took their name
 * @param keys their keys, which protect their ids from others until then, and their pools
 */
public record ForgottenWorkers(Duration unseen, Duration replaced, Duration keys) {

  /** Returns the count. */
  public int forget(Handle handle) {
    int workers =
        handle
            .createQuery(Sql.named("worker/forget_workers"))
            .bind("age_seconds", unseen.toSeconds())
            .bind("replaced_age_seconds", replaced.toSeconds())
            .mapTo(Integer.class)
            .one();
    handle
        .createUpdate(Sql.named("worker/forget_pools"))
        .bind("age_seconds", keys.toSeconds())
        .execute();
    return workers
        + handle
            .createUpdate(Sql.named("worker/forget_keys"))
            .bind("age_seconds", keys.toSeconds())
            .execute();
  }
}
