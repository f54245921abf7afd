/**
 * Commands that run a server, a worker, or both in one process.
 *
 * <p>Invariant: parts stop in the reverse order of their start, each regardless of the others, and
 * the endpoint file exists only while the server serves. The main thread starts everything, waits
 * for a signal, and stops everything.
 */
@NullMarked
package dev.belay.cli.process;

import org.jspecify.annotations.NullMarked;
