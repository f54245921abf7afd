/**
 * Output for people: streams, colours, tables, times, exit codes and the one way in which a command
 * reports a failure.
 *
 * <p>Invariant: text from a server or a file loses its control characters before it is printed,
 * except for the log of a task; only a terminal gets escape sequences. The command's thread uses
 * it.
 */
@NullMarked
package dev.belay.cli.terminal;

import org.jspecify.annotations.NullMarked;
