@NullMarked
package dev.belay.domain.system;

import org.jspecify.annotations.NullMarked;
