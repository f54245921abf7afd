/**
 * The reaper's statements on PostgreSQL. Invariant: each write is behind the epoch lock, re-reads
 * under lock what was judged, and records the recovery in the same transaction.
 */
@NullMarked
package dev.belay.store.reap;

import org.jspecify.annotations.NullMarked;
