/** Makes requests: a seed and a number determine everything except the server's own data. */
@NullMarked
package dev.belay.fuzz.make;

import org.jspecify.annotations.NullMarked;
