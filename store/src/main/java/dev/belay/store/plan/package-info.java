/** The statements of planning. Only the leader runs them; every write is under the epoch lock. */
@NullMarked
package dev.belay.store.plan;

import org.jspecify.annotations.NullMarked;
