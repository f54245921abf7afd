/** Tests of stored task queues. */
@NullMarked
package dev.belay.store.queue;

import org.jspecify.annotations.NullMarked;
