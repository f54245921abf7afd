/**
 * Trees of values that know where they stand: in a line of a file, or in a field of a request.
 *
 * <p>The YAML reader is built on the event stream of snakeyaml-engine, because its composer
 * recurses without a limit and leaves merge keys, duplicate keys and alias bombs to the caller.
 * Invariant: a {@link dev.belay.workflow.tree.Node} is a finite tree whose size, with every alias
 * expanded, is at most {@link dev.belay.workflow.tree.YamlReader#EXPANDED_NODES_MAX}, or that of
 * the request, so whoever walks it needs no limits of its own. Everything is immutable or used by
 * one thread.
 */
@NullMarked
package dev.belay.workflow.tree;

import org.jspecify.annotations.NullMarked;
