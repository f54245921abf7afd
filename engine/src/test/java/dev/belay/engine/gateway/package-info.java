@NullMarked
package dev.belay.engine.gateway;

import org.jspecify.annotations.NullMarked;
