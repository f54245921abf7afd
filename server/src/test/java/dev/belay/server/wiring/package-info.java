/** Tests of whole replicas on real databases: who leads, and what they say of their health. */
@NullMarked
package dev.belay.server.wiring;

import org.jspecify.annotations.NullMarked;
