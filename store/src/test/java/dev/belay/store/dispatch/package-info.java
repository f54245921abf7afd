/** Tests of claims and of what they are made from. */
@NullMarked
package dev.belay.store.dispatch;

import org.jspecify.annotations.NullMarked;
