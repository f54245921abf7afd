/** What users write, validated: workflows, tasks, policies. Immutable. */
@NullMarked
package dev.belay.domain.spec;

import org.jspecify.annotations.NullMarked;
