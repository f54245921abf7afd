package dev.belay.store.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.id.BulkId;
import dev.belay.store.bulk.BulkSql.NewBulk;
import dev.belay.store.fixture.StoreFixture;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkIntakeTest {

  private final StoreFixture store = new StoreFixture();
  private final BulkIntake intake = new BulkIntake(store.jdbi(), store.hints());

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void requests_at_once_start_no_more_operations_than_may_run() throws Exception {
    for (int round = 0; round < 20; round++) {
      store.run("DELETE FROM bulk_operation");
      var answers = TaskIntakeTest.race(8, () -> intake.start(cancel(), null, "ann", 1));
      assertThat(answers.stream().filter(each -> each instanceof BulkIntake.Started.Accepted))
          .hasSize(1);
    }
  }

  private NewBulk cancel() {
    var filter =
        new BulkFilter(
            "default",
            new TreeSet<>(Set.of("SCHEDULED")),
            null,
            null,
            null,
            null,
            Map.of(),
            null,
            null,
            BulkFilter.Letters.ANY);
    return new NewBulk(
        new BulkId(store.ids().next()), BulkKind.CANCEL, filter, null, "", null, "{}");
  }
}
