/**
 * The logs of dispatches, as files.
 *
 * <p>Invariant: a file only grows and holds the first bytes of its dispatch's log without a gap, so
 * its length is the next offset, even after a crash in the middle of a write. {@code ID.part} may
 * still grow; renamed to {@code ID.log} it is complete. Paths come only from ids. Only the worker
 * of a dispatch reaches its file ({@link dev.belay.server.logs.LogAccess}), and a full disk is an
 * answer, not an error ({@link dev.belay.server.logs.LogDisk}). A file is in the folder of the day
 * of its dispatch id, so retention deletes whole folders.
 *
 * <p>Threads: any. A striped lock serializes appends to one dispatch. Each call opens its files, so
 * the stripes and the running reads bound the open handles.
 */
@NullMarked
package dev.belay.server.logs;

import org.jspecify.annotations.NullMarked;
