package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSettingsTest {

  @TempDir Path home;

  @ParameterizedTest
  @CsvSource({
    "agent-silence=2m, no such setting",
    "lease, write it like",
    "lease=soon, is not a duration",
    "agent-silent=1s, agent-silent"
  })
  void setting_that_is_unknown_no_duration_or_unfit_is_refused_by_name(String set, String why) {
    var result =
        new Shell(home)
            .run(
                "server",
                "--database-url",
                "jdbc:postgresql://nowhere/x",
                "--user",
                "u",
                "--dir",
                home + "/s",
                "--set",
                set);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("--set").contains(why);
  }
}
