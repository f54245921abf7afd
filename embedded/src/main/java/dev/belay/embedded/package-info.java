/**
 * An embedded PostgreSQL server, for lite and for tests.
 *
 * <p>{@link dev.belay.embedded.EmbeddedPostgres#start} unpacks the binaries, creates a missing
 * database cluster, and runs the server under {@code watchdog.sh}, a small shell script in its own
 * session. The JVM holds the only write end of the script's standard input.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>One JVM owns a data folder: it holds an OS lock on {@code belay.lock} from before the first
 *       step of a start until after the last step of a close. The kernel frees it when the JVM
 *       dies.
 *   <li>No process outlives its JVM by more than 3 s, wherever in a start the JVM dies: every
 *       process is a child of the watchdog, and the watchdog ends it at end of file.
 *   <li>Belay kills only processes that are provably its own: its child with its start time, or its
 *       binary with its PGDATA as working folder.
 *   <li>A cluster or a set of binaries under its final name is complete: both are made under
 *       another name and renamed.
 * </ul>
 *
 * <p>When the JVM dies, the watchdog acts; when the server dies, {@code onExit}; when the watchdog
 * dies, the kernel (parent-death signal) and {@code onExit}; when all die, the next start, which
 * sweeps first. {@link dev.belay.embedded.SupervisedPostgres} restarts a server that ended
 * unexpectedly, on the same port and in the same folder, whose lock it keeps meanwhile.
 *
 * <p>Threads: a caller's thread runs start and close. One daemon thread per server waits for its
 * exit and bounds its log; another supervises it. Many threads may use {@code EmbeddedPostgres} and
 * {@code SupervisedPostgres}.
 */
@NullMarked
package dev.belay.embedded;

import org.jspecify.annotations.NullMarked;
