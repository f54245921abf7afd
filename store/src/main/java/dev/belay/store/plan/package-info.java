/** What planning reads and writes. Leader only; every write is under the epoch lock. */
@NullMarked
package dev.belay.store.plan;

import org.jspecify.annotations.NullMarked;
