/**
 * Dead letters: written by the engine's statements, read and removed for people. {@link
 * dev.belay.store.intake.LetterRetry} submits one again.
 *
 * <p>Threads: any; the classes are stateless.
 */
@NullMarked
package dev.belay.store.deadletter;

import org.jspecify.annotations.NullMarked;
