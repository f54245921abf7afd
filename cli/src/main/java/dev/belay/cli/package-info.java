/**
 * The {@code belay} command.
 *
 * <p>Invariant: a command loads only the classes it needs; client commands load no class of the
 * server and no logging. The main thread runs the command; signals arrive on other threads, which
 * only set flags or interrupt it.
 */
@NullMarked
package dev.belay.cli;

import org.jspecify.annotations.NullMarked;
