/** Tests of setting workers aside. */
@NullMarked
package dev.belay.engine.trust;

import org.jspecify.annotations.NullMarked;
