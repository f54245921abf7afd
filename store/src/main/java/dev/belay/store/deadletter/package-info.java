/**
 * Dead letters: the engine's statements about them, and their removal.
 *
 * <p>Threads: any; the classes are stateless.
 */
@NullMarked
package dev.belay.store.deadletter;

import org.jspecify.annotations.NullMarked;
