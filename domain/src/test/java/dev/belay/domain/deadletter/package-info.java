@NullMarked
package dev.belay.domain.deadletter;

import org.jspecify.annotations.NullMarked;
