/**
 * The thin runner around every {@code runOnce()}: woken by hints and by time, survives whatever a
 * step throws, and watched by another loop.
 *
 * <p><b>Invariant.</b> A loop has at most one live thread: only a dead one is replaced. A step that
 * hangs is reported and left alone.
 *
 * <p><b>Threads.</b> One for each loop; the watcher is a loop too. Any thread may read the status,
 * which takes no lock that a step holds.
 */
@NullMarked
package dev.belay.engine.loop;

import org.jspecify.annotations.NullMarked;
