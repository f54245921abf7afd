package dev.belay.session.gateway;

import dev.belay.domain.id.RunId;
import dev.belay.domain.spec.Work;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a worker is told of a task that it is to run.
 *
 * @param workflow of its run, if it has one
 * @param fencingToken how often the task was dispatched
 * @param work empty when it cannot be read: the worker answers that there is nothing to start
 */
public record Assignment(
    String tenant,
    String name,
    @Nullable RunId run,
    @Nullable String workflow,
    long fencingToken,
    Optional<Work> work) {

  boolean isStrict() {
    return work.isPresent() && work.get().policy().isStrict();
  }
}
