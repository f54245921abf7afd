/** The run queue on PostgreSQL. */
@NullMarked
package dev.belay.store.runqueue;

import org.jspecify.annotations.NullMarked;
