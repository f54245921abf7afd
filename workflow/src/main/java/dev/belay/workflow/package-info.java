/**
 * The workflow file: reading, checking, its expressions, its JSON form and its JSON Schema.
 *
 * <p>{@link dev.belay.workflow.WorkflowFile} turns a text into a {@code WorkflowSpec} or into all
 * its problems with their places. One table, {@code Keys}, defines the keys, their values and which
 * are reserved. The reader, its refusals and {@link dev.belay.workflow.WorkflowSchema} all use that
 * table, so they cannot disagree. Invariant: a spec that leaves this package is valid, and no
 * input, however hostile, costs more than the named limits allow. Any thread may use all public
 * types.
 */
@NullMarked
package dev.belay.workflow;

import org.jspecify.annotations.NullMarked;
