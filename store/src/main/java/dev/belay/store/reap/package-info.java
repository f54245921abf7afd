/**
 * The reaper's statements on PostgreSQL. Invariant: each write is behind the epoch lock, re-reads
 * under lock the rows it acts on, and records the recovery in the same transaction.
 */
@NullMarked
package dev.belay.store.reap;

import org.jspecify.annotations.NullMarked;
