/** A whole agent against a scripted control plane on loopback. */
@NullMarked
package dev.belay.agent;

import org.jspecify.annotations.NullMarked;
