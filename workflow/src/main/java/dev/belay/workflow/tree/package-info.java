/**
 * Trees of values that know their place: a line of a file, or a field of a request.
 *
 * <p>The YAML reader uses the event stream of snakeyaml-engine, because that library's composer
 * recurses without a limit and leaves merge keys, duplicate keys and alias bombs to the caller.
 * Invariant: a {@link dev.belay.workflow.tree.Node} is a finite tree whose size, with every alias
 * expanded, is at most {@link dev.belay.workflow.tree.YamlReader#EXPANDED_NODES_MAX}, or that of
 * the request, so code that walks it needs no limits. Everything is immutable or used by one
 * thread.
 */
@NullMarked
package dev.belay.workflow.tree;

import org.jspecify.annotations.NullMarked;
