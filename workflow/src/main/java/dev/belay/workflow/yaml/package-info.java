/**
 * A bounded YAML reader that knows where everything stands in the file.
 *
 * <p>Built on the event stream of snakeyaml-engine, because its composer recurses without a limit
 * and leaves merge keys, duplicate keys and alias bombs to the caller. Invariant: a {@link
 * dev.belay.workflow.yaml.YamlNode} is a finite tree whose size, with every alias expanded, is at
 * most {@link dev.belay.workflow.yaml.YamlReader#EXPANDED_NODES_MAX}, so whoever walks it needs no
 * limits of its own. Everything is immutable or used by one thread.
 */
@NullMarked
package dev.belay.workflow.yaml;

import org.jspecify.annotations.NullMarked;
