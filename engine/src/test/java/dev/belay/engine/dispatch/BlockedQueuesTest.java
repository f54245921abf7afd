package dev.belay.engine.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.fair.Part;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.routing.Router;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.engine.dispatch.Gates.Blocker;
import dev.belay.engine.dispatch.Gates.EndsBy;
import java.util.List;
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
    var placement = new Blocker.OfPlacement(Placement.inPool("a"));
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

  @Test
  void a_key_for_which_the_last_task_queue_left_blocks_nothing() {
    var blocked = new BlockedQueues();
    var router = new Router(RoutingSettings.DEFAULT, any -> List.of());
    var spec = QueueOf.alone("default", "a", RunPolicy.DEFAULT);
    var one = new OpenQueue(new QueueId(1), spec, router);
    var two = new OpenQueue(new QueueId(2), spec, router);
    var key = new Blocker.OfKey("default", "key");
    blocked.add(key, one);
    blocked.add(key, two);
    blocked.remove(key, one);
    assertThat(blocked.items(key)).containsExactly(two);
    blocked.remove(key, two);
    assertThat(blocked.isEmpty()).isTrue();
  }
}
