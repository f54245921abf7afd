package dev.belay.simulation.model;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;

/** A row of the table task_queue. */
record QueueRow(QueueId id, TaskQueue queue) {}
