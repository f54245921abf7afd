/**
 * A fuzzer for the whole surface of a server: every REST route, the worker protocol, workflow
 * files, and HTTP itself. docs/fuzzing.md describes its checks.
 *
 * <p>{@code make} creates requests from a seed, {@code send} sends them, {@code run} checks the
 * answers, {@code tested} holds the server and its database.
 */
@NullMarked
package dev.belay.fuzz;

import org.jspecify.annotations.NullMarked;
