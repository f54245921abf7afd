/**
 * What a person sees: output streams, colours, tables, times, exit codes and the one way in which a
 * command says that it failed.
 *
 * <p>Invariant: text that came from a server or a file is cleaned of control characters before it
 * is printed, except for the log of a task; escape sequences are written only to a terminal.
 * Touched by the thread that runs the command.
 */
@NullMarked
package dev.belay.cli.terminal;

import org.jspecify.annotations.NullMarked;
