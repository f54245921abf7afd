/** Tests of dispatching. */
@NullMarked
package dev.belay.engine.dispatch;

import org.jspecify.annotations.NullMarked;
