/**
 * Leadership on PostgreSQL: the lock, the epoch and the fence that every leader transaction enters.
 */
@NullMarked
package dev.belay.store.leader;

import org.jspecify.annotations.NullMarked;
