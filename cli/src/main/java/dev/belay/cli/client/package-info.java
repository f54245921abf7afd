/**
 * The REST API from the command's side: finds the server, sends requests, explains refusals.
 *
 * <p>Invariant: no class of the server is loaded from here. Several threads may use the client;
 * everything else is immutable.
 */
@NullMarked
package dev.belay.cli.client;

import org.jspecify.annotations.NullMarked;
