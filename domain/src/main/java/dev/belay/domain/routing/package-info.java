/**
 * Chooses the worker for each task: the pools of its topic, their capabilities, labels, room and
 * load. Invariant: the explanation uses the predicates that decide.
 */
@NullMarked
package dev.belay.domain.routing;

import org.jspecify.annotations.NullMarked;
