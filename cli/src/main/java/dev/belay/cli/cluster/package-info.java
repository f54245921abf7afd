/**
 * A whole cluster on this machine, for trying, proving and measuring: PostgreSQL, replicas and
 * workers. Each is a process in its own session, so it outlives the command and its terminal.
 *
 * <p>Invariant: {@code cluster.json} names every process, with its start time, from right after its
 * start until after its end. No command ends a process that is not provably one of these. So
 * whenever {@code up} dies, {@code down} finds the rest.
 *
 * <p>The main thread does everything; a lock admits one command at a time to a folder.
 */
@NullMarked
package dev.belay.cli.cluster;

import org.jspecify.annotations.NullMarked;
