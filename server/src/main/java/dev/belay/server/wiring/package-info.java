/**
 * Puts one server process together. The only place of the server that reads the real clock, draws
 * real random numbers and makes threads; everything else gets them given.
 */
@NullMarked
package dev.belay.server.wiring;

import org.jspecify.annotations.NullMarked;
