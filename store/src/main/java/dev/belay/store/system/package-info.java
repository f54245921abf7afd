/**
 * Pools, topics and tenants: who declared them, and what they say.
 *
 * <p>Invariant: the system file owns what it names. The API is refused for that; a file that names
 * what the API declared takes it over, and a file that no longer names it removes it (ADR 28).
 *
 * <p>All who declare something lock the row of {@code routing_version} first, raise it, and write
 * in the same transaction. So they come one after the other, and the leader that reads a version
 * reads everything that belongs to it. Each row has the version of its last change, which never
 * comes again: a caller who changes what it read before names that version.
 *
 * <p>Threads: any; the classes are stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.system;

import org.jspecify.annotations.NullMarked;
