@NullMarked
package dev.belay.fuzz.make;

import org.jspecify.annotations.NullMarked;
