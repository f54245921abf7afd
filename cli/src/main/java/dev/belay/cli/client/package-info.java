/**
 * The REST API seen from a command: where the server is, how it is asked, how its refusals are
 * told.
 *
 * <p>Invariant: no class of the server is loaded from here. The client may be used by several
 * threads; everything else is immutable.
 */
@NullMarked
package dev.belay.cli.client;

import org.jspecify.annotations.NullMarked;
