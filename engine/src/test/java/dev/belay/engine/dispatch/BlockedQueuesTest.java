package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.fair.Part;
import dev.belay.domain.queue.Placement;
import dev.belay.engine.dispatch.Gates.Blocker;
import dev.belay.engine.dispatch.Gates.EndsBy;
import org.junit.jupiter.api.Test;

/** What a change is compared with. */
class BlockedQueuesTest {

  @Test
  void room_of_workers_is_compared_with_no_key_however_many_are_full() {
    var blocked = new BlockedQueues();
    assertThat(blocked.isEmpty()).isTrue();
    for (int i = 0; i < 1_000; i++) {
      blocked.add(new Blocker.OfKey("default", "key" + i));
    }
    var group = new Blocker.OfPart(new Part.OfGroup("a"));
    var placement = new Blocker.OfPlacement(Placement.inPool("a"), "pool_overloaded");
    blocked.add(group);
    blocked.add(new Blocker.OfPart(new Part.OfTenant("default")));
    blocked.add(new Blocker.OfRate("default", "api"));
    blocked.add(placement);
    assertThat(blocked.by(EndsBy.ROOM)).containsExactly(group, placement);
    assertThat(blocked.by(EndsBy.TOKENS)).containsExactly(new Blocker.OfRate("default", "api"));
    assertThat(blocked.by(EndsBy.PLACES)).hasSize(1_001);
    assertThat(blocked.all()).hasSize(1_004);
    assertThat(blocked.remove(placement)).isEmpty();
    assertThat(blocked.by(EndsBy.ROOM)).containsExactly(group);
  }
}
