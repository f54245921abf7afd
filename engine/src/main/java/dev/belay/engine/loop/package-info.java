/**
 * The thin runner around every {@code runOnce()}: hinted, periodic, never ended by what a step
 * throws, watched from beside.
 *
 * <p><b>Invariant.</b> A loop has at most one living thread: it is replaced only when it is dead. A
 * step that hangs is reported and left alone.
 *
 * <p><b>Threads.</b> One for each loop; the watcher is a loop too. Status is read by anybody and
 * takes no lock that a step holds.
 */
@NullMarked
package dev.belay.engine.loop;

import org.jspecify.annotations.NullMarked;
