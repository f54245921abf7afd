/** Whether runs may start, on PostgreSQL. */
@NullMarked
package dev.belay.store.runqueue;

import org.jspecify.annotations.NullMarked;
