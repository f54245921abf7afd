/** Makes requests: a seed and a number decide everything that does not come from the server. */
@NullMarked
package dev.belay.fuzz.make;

import org.jspecify.annotations.NullMarked;
