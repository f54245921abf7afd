/**
 * The logs of dispatches, as files.
 *
 * <p>Invariant: a file only grows and holds the first bytes of its dispatch's log without a gap, so
 * its length is the offset wanted next, also after a crash in the middle of a write. {@code
 * ID.part} may still grow; renamed to {@code ID.log} it is complete. Paths are made from ids and
 * nothing else. Only the worker of a dispatch gets as far as its file ({@link
 * dev.belay.server.logs.LogAccess}), and a full disk is an answer to it, not an error ({@link
 * dev.belay.server.logs.LogDisk}). A file lives in the folder of the day its dispatch id was made,
 * so retention deletes whole folders.
 *
 * <p>Threads: any. Appends to one dispatch are serialized by a striped lock; files are opened for
 * each call, so that open handles are bounded by the number of stripes and of running reads.
 */
@NullMarked
package dev.belay.server.logs;

import org.jspecify.annotations.NullMarked;
