package dev.belay.engine.port;

/**
 * The right to run a periodic job, until another replica acquires its lease.
 *
 * @param holder the replica
 * @param value rises with each acquisition of this job's lease
 */
public record LeaseToken(String job, String holder, long value) {}
