/**
 * A fuzzer for the whole surface of a server: every REST route, the worker protocol, workflow
 * files, and HTTP itself. docs/fuzzing.md tells what it checks.
 *
 * <p>{@code make} decides by seed what is sent, {@code send} sends it, {@code run} judges, {@code
 * tested} holds the server and its database.
 */
@NullMarked
package dev.belay.fuzz;

import org.jspecify.annotations.NullMarked;
