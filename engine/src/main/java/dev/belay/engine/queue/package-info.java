/** Task queues and their ids, in the memory of a replica. */
@NullMarked
package dev.belay.engine.queue;

import org.jspecify.annotations.NullMarked;
