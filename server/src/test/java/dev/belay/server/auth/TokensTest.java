package dev.belay.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {

  @TempDir Path folder;

  @Test
  void missing_files_are_made_for_the_owner_only_and_kept() throws IOException {
    var tokens = load();
    var api = Files.readString(folder.resolve("deep/token")).strip();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("deep/token"))))
        .isEqualTo("rw-------");
    assertThat(api).hasSize(43);
    assertThat(tokens.caller("Bearer " + api).orElseThrow().may(CallPermission.SUBMIT)).isTrue();
    assertThat(load().caller("bearer " + api)).isPresent();
    try (var files = Files.list(folder.resolve("deep"))) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void the_worker_token_only_joins() throws IOException {
    var worker =
        load()
            .caller("Bearer " + Files.readString(folder.resolve("deep/join")).strip())
            .orElseThrow();
    assertThat(worker.may(CallPermission.JOIN)).isTrue();
    assertThat(worker.may(CallPermission.READ)).isFalse();
  }

  @Test
  void anything_else_is_nobody() throws IOException {
    var tokens = load();
    var api = Files.readString(folder.resolve("deep/token")).strip();
    assertThat(tokens.caller(null)).isEmpty();
    assertThat(tokens.caller(api)).isEmpty();
    assertThat(tokens.caller("Basic " + api)).isEmpty();
    assertThat(tokens.caller("Bearer ")).isEmpty();
    assertThat(tokens.caller("Bearer " + api.substring(1))).isEmpty();
  }

  @Test
  void a_file_that_others_can_read_stops_the_start() throws IOException {
    load();
    var file = folder.resolve("deep/token");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(this::load)
        .isInstanceOf(UnsafeToken.class)
        .hasMessageContaining("chmod 600 " + file);
  }

  @Test
  void an_empty_short_or_shared_token_stops_the_start() throws IOException {
    load();
    var file = folder.resolve("deep/token");
    for (var text : new String[] {"", "short", "with space".repeat(5), "x".repeat(1_000)}) {
      Files.writeString(file, text);
      assertThatThrownBy(this::load)
          .isInstanceOf(UnsafeToken.class)
          .hasMessageContaining("Delete it");
    }
    Files.writeString(file, Files.readString(folder.resolve("deep/join")));
    assertThatThrownBy(this::load)
        .isInstanceOf(UnsafeToken.class)
        .hasMessageContaining("same token");
  }

  private Tokens load() throws IOException {
    return Tokens.load(
        folder.resolve("deep/token"), folder.resolve("deep/join"), new SecureRandom());
  }
}
