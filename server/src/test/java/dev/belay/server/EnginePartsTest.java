package dev.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.RecoveryKind;
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
import java.nio.file.Path;
import java.time.Duration;
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

  @Test
  void a_silence_limit_below_the_dispatch_grace_promises_what_the_grace_allows() {
    var settings =
        new ServerSettings(
            Settings.of(ProcessKind.LITE, "agent-closed=5s", "agent-silent=20s"),
            "a",
            new ServerSettings.Database("jdbc:x", "u", "p"),
            ServerSettings.Files.in(Path.of("d")));
    assertThat(settings.promises().of(RecoveryKind.AGENT_SILENT)).isEqualTo(Duration.ofSeconds(40));
  }
}
