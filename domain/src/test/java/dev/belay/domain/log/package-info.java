@NullMarked
package dev.belay.domain.log;

import org.jspecify.annotations.NullMarked;
