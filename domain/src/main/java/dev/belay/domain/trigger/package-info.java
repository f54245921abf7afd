/**
 * What triggers do when another run ends or an event arrives: pure decisions.
 *
 * <p>Each cause meets each trigger once. The answer is a {@link dev.belay.domain.trigger.Verdict},
 * which the store keeps for people to read.
 */
@NullMarked
package dev.belay.domain.trigger;

import org.jspecify.annotations.NullMarked;
