/** Replica heartbeats: a worker's silence counts only while its replica can write. */
@NullMarked
package dev.belay.store.replica;

import org.jspecify.annotations.NullMarked;
