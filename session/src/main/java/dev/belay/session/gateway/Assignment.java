package dev.belay.session.gateway;

import dev.belay.domain.id.RunId;
import dev.belay.domain.spec.Work;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a worker needs to run a task.
 *
 * @param workflow of its run, if it has one
 * @param fencingToken how often the task was dispatched
 * @param work empty when unreadable: the worker then reports that there is nothing to start
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
