/**
 * The agent's folder on disk: its worker id, journal, spooled logs and task folders.
 *
 * <p>Invariant: at most one live process uses a folder, so no two processes share a worker id. The
 * wiring thread opens the folder once at the start; afterwards any thread reads its paths.
 */
@NullMarked
package dev.belay.agent.state;

import org.jspecify.annotations.NullMarked;
