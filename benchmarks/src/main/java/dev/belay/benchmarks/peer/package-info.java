/**
 * The peers, and plain writes without a scheduler, each in its own JVM that takes orders on
 * standard input. Invariant: a run ends when the database shows it, not when the handler was
 * called. The main thread gives orders; handlers run on the peer's threads.
 */
@NullMarked
package dev.belay.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
