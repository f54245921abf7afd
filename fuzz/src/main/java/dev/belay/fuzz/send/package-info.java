/** Sends requests byte by byte, so they can be wrong in any way. */
@NullMarked
package dev.belay.fuzz.send;

import org.jspecify.annotations.NullMarked;
