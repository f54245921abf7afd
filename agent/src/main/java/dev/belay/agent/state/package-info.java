/**
 * The agent's own folder on disk: its worker id, journal, spooled logs and task folders.
 *
 * <p>Invariant: at most one live process uses a folder, so a worker id never speaks with two
 * voices. The folder is opened once at start by the wiring thread; afterwards its paths are read by
 * any thread.
 */
@NullMarked
package dev.belay.agent.state;

import org.jspecify.annotations.NullMarked;
