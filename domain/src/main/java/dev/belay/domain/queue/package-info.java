/**
 * Task queues: tasks that wait for the same things. What one of them lacks, all of them lack, so
 * the dispatcher looks at a task queue as a whole, however many tasks wait in it.
 */
@NullMarked
package dev.belay.domain.queue;

import org.jspecify.annotations.NullMarked;
