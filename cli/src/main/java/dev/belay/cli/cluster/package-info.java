/**
 * A whole cluster on this machine, for trying, proving and measuring: PostgreSQL, replicas and
 * workers, each a process of its own in a session of its own, so that it outlives the command and
 * its terminal.
 *
 * <p>Invariant: {@code cluster.json} names every process that was started, from right after its
 * start until after its end, with the time of its start; no process is ended that is not provably
 * the one that was started. So whenever {@code up} dies, {@code down} finds what it left.
 *
 * <p>The main thread does everything; one command at a time works on a folder, by a lock.
 */
@NullMarked
package dev.belay.cli.cluster;

import org.jspecify.annotations.NullMarked;
