/** Where the real clock and processes come from. */
@NullMarked
package dev.belay.fuzz.wiring;

import org.jspecify.annotations.NullMarked;
