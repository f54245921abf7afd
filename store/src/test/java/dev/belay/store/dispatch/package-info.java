/** Tests of claims and their inputs. */
@NullMarked
package dev.belay.store.dispatch;

import org.jspecify.annotations.NullMarked;
