/** Task queues: what tasks that wait for the same things have in common, stored once. */
@NullMarked
package dev.belay.store.queue;

import org.jspecify.annotations.NullMarked;
