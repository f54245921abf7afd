/**
 * A PostgreSQL server of our own, for lite and for tests.
 *
 * <p>{@link dev.belay.embedded.EmbeddedPostgres#start} unpacks the binaries, creates the database
 * cluster when there is none, and runs the server under {@code watchdog.sh}, a small shell script
 * in a session of its own. The JVM holds the only write end of the script's standard input.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>One JVM owns a data folder: an OS lock on {@code belay.lock}, held from before the first
 *       step of a start until after the last step of a close. The kernel frees it when the JVM
 *       dies.
 *   <li>No process outlives its JVM by more than 3 s, wherever in a start the JVM dies: everything
 *       that we start is a child of the watchdog, and the watchdog ends it at end of file.
 *   <li>A process is killed only when it is provably ours: our child with its start time, or our
 *       binary with our PGDATA as its working folder.
 *   <li>A cluster or a set of binaries under its final name is complete: both are made under
 *       another name and renamed.
 * </ul>
 *
 * <p>What dies, and who acts: the JVM, then the watchdog; the server, then {@code onExit}; the
 * watchdog, then the kernel (parent-death signal) and {@code onExit}; all of them, then the next
 * start, which sweeps first. {@link dev.belay.embedded.SupervisedPostgres} starts a server that
 * ended by itself again, in the same folder, which it never lets go meanwhile, and on the same
 * port.
 *
 * <p>Threads: a caller's thread runs start and close; one daemon thread per server waits for its
 * exit and bounds its log, another one keeps it. {@code EmbeddedPostgres} and {@code
 * SupervisedPostgres} may be used by many threads.
 */
@NullMarked
package dev.belay.embedded;

import org.jspecify.annotations.NullMarked;
