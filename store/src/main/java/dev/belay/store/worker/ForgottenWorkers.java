package dev.belay.store.worker;

import dev.belay.store.Sql;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/**
 * How long workers are remembered that hold nothing.
 *
 * @param unseen of whom nobody has heard
 * @param replaced whose name another one has taken since
 * @param keys their keys: until then nobody else can take their id
 */
public record ForgottenWorkers(Duration unseen, Duration replaced, Duration keys) {

  public void forget(Jdbi jdbi) {
    jdbi.useHandle(
        handle -> {
          handle
              .createUpdate(Sql.named("worker/forget_workers"))
              .bind("age_seconds", unseen.toSeconds())
              .bind("replaced_age_seconds", replaced.toSeconds())
              .execute();
          handle
              .createUpdate(Sql.named("worker/forget_keys"))
              .bind("age_seconds", keys.toSeconds())
              .execute();
        });
  }
}
