/**
 * Every setting of every process of Belay, declared once.
 *
 * <p>A {@link dev.belay.settings.Setting} has a name, a type with its unit, a default, bounds, a
 * meaning and the processes that read it. The name is the same everywhere: {@code agent-silent} in
 * {@code belay.yaml}, {@code BELAY_AGENT_SILENT} in the environment, {@code --agent-silent} on a
 * command line. {@link dev.belay.settings.Layers} collects what was given, in this order: defaults,
 * file, environment, flags. {@link dev.belay.settings.Settings} holds the values of one process and
 * where each one comes from. {@link dev.belay.settings.Rule}s compare settings with each other.
 *
 * <p>Invariant: a process starts with a whole, valid {@code Settings}, or it does not start and the
 * person sees every problem at once. A process reads its settings at its start only.
 */
@NullMarked
package dev.belay.settings;

import org.jspecify.annotations.NullMarked;
