/** What planning reads and writes. Leader only; every write is under the fence. */
@NullMarked
package dev.belay.store.plan;

import org.jspecify.annotations.NullMarked;
