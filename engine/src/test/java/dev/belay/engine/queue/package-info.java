/** Tests of the catalog of task queues. */
@NullMarked
package dev.belay.engine.queue;

import org.jspecify.annotations.NullMarked;
