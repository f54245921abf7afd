/** Supplies the real clock and real processes. */
@NullMarked
package dev.belay.fuzz.wiring;

import org.jspecify.annotations.NullMarked;
