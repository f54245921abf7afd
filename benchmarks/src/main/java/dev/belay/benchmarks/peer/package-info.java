/**
 * The peers, and plain writes without any scheduler, each in a JVM of its own that takes orders on
 * standard input. Invariant: a run is over when the database says so, not when the handler was
 * called. The main thread gives orders; handlers run on the threads of the peer.
 */
@NullMarked
package dev.belay.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
