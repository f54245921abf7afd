/**
 * Every setting of every Belay process, declared once.
 *
 * <p>A {@link dev.belay.settings.Setting} has a name, a type with its unit, a default, bounds, a
 * meaning and the processes that read it. The name is the same everywhere: {@code agent-silent} in
 * {@code belay.yaml}, {@code BELAY_AGENT_SILENT} in the environment, {@code --agent-silent} on a
 * command line. {@link dev.belay.settings.Layers} collects values in this order: defaults, file,
 * environment, flags. {@link dev.belay.settings.Settings} holds the values of one process and their
 * sources. {@link dev.belay.settings.Rule}s compare settings with each other.
 *
 * <p>Invariant: a process starts with a complete, valid {@code Settings}, or it does not start and
 * reports every problem at once. A process reads its settings only at its start.
 */
@NullMarked
package dev.belay.settings;

import org.jspecify.annotations.NullMarked;
