/** Cancel, retry, pause and other requests about accepted work, on PostgreSQL. */
@NullMarked
package dev.belay.store.steer;

import org.jspecify.annotations.NullMarked;
