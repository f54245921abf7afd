/**
 * The workflow file: reading, checking, its expressions, its JSON form and its JSON Schema.
 *
 * <p>{@link dev.belay.workflow.WorkflowFile} turns a text into a {@code WorkflowSpec} or into every
 * problem in it with its place. One table, {@code Keys}, says which keys exist, what they may hold
 * and which are reserved; reading, the refusals and {@link dev.belay.workflow.WorkflowSchema} all
 * come from it, so they cannot disagree. Invariant: a spec that leaves this package is valid, and
 * no input, however hostile, costs more than the named limits allow. All public types may be used
 * by any thread.
 */
@NullMarked
package dev.belay.workflow;

import org.jspecify.annotations.NullMarked;
