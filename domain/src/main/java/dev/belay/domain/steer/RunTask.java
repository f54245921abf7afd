package dev.belay.domain.steer;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;

/**
 * A task of a run, as it was found under its lock.
 *
 * @param settled its own attempt or a person decided its end, not the tasks before it or a
 *     condition: it was started in this generation, or a person skipped it
 */
public record RunTask(TaskId id, String name, TaskState state, int generation, boolean settled) {}
