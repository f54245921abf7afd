/** Whether runs may start, on PostgreSQL. */
@NullMarked
package dev.belay.store.gate;

import org.jspecify.annotations.NullMarked;
