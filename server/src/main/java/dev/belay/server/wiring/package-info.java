/**
 * Assembles one server process. Only this package of the server reads the real clock, draws real
 * random numbers and creates threads; it passes them to all other code.
 */
@NullMarked
package dev.belay.server.wiring;

import org.jspecify.annotations.NullMarked;
