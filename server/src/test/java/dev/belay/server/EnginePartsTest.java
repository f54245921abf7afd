package dev.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.plan.PlanPool;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import dev.belay.store.Database;
import dev.belay.store.leader.ElectionSettings;
import dev.belay.workflow.ExpressionLimits;
import org.junit.jupiter.api.Test;

/** The modules below have their own defaults, for their tests and the simulation. */
class EnginePartsTest {

  private final Settings lite = Settings.of(ProcessKind.LITE);

  @Test
  void the_defaults_of_the_modules_are_those_of_the_settings() {
    assertThat(EngineParts.engine(lite)).isEqualTo(EngineSettings.of(1, 1));
    assertThat(EngineParts.leader(lite)).isEqualTo(LeaderSettings.DEFAULT);
    assertThat(EngineParts.election(lite)).isEqualTo(ElectionSettings.DEFAULT);
    assertThat(EngineParts.reap(lite)).isEqualTo(ReapSettings.DEFAULT);
    assertThat(EngineParts.gateway(lite, "a").limits()).isEqualTo(GatewaySettings.Limits.DEFAULT);
    assertThat(EngineParts.plans(lite)).isEqualTo(PlanPool.Limits.DEFAULT);
    assertThat(EngineParts.retries(lite)).isEqualTo(RetryDecision.Waits.DEFAULT);
    assertThat(EngineParts.database(lite)).isEqualTo(Database.Bounds.DEFAULT);
    assertThat(EngineParts.expressions(lite)).isEqualTo(ExpressionLimits.DEFAULT);
  }

  @Test
  void a_server_has_sixteen_threads_that_claim_where_its_connections_allow_them() {
    String[] database = {"database-url=jdbc:x", "database-user=u", "dir=d"};
    assertThat(EngineParts.engine(Settings.of(ProcessKind.SERVER, database)).dispatchThreads())
        .isEqualTo(14);
    var more = java.util.Arrays.copyOf(database, 4);
    more[3] = "database-connections=40";
    assertThat(EngineParts.engine(Settings.of(ProcessKind.SERVER, more)))
        .isEqualTo(EngineSettings.of(16, 256));
  }
}
