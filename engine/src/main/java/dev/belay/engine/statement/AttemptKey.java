package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;

/** One attempt of a task. Rows are found by the task; the dispatch guards them. */
public record AttemptKey(TaskId task, DispatchId dispatch) {}
