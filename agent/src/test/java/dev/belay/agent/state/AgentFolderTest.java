package dev.belay.agent.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.WorkerId;
import dev.belay.session.wire.WorkerKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class AgentFolderTest {

  @TempDir Path temp;

  @Test
  void worker_id_is_made_once_and_kept() throws IOException {
    WorkerId first;
    try (AgentFolder folder = opened(path())) {
      first = folder.worker();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
          .isEqualTo("rwx------");
    }
    try (AgentFolder folder = opened(path())) {
      assertThat(folder.worker()).isEqualTo(first);
    }
  }

  @Test
  void second_open_in_this_process_is_refused_and_does_not_free_the_lock() throws Exception {
    try (AgentFolder folder = opened(path())) {
      assertThat(AgentFolder.open(path(), UUID::randomUUID, new SecureRandom()))
          .isEqualTo(
              new AgentFolder.InUse(folder.path(), Long.toString(ProcessHandle.current().pid())));
      assertThat(otherProcessOpens())
          .contains("in use by process " + ProcessHandle.current().pid());
    }
    assertThat(otherProcessOpens()).isEqualTo("opened");
  }

  @Test
  void key_is_made_once_and_readable_by_its_owner_only() throws IOException {
    WorkerKey key;
    try (AgentFolder folder = opened(path())) {
      key = folder.key();
      assertThat(folder.isNew()).isTrue();
      var file = folder.path().resolve("worker-key");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    try (AgentFolder folder = opened(path())) {
      assertThat(folder.key()).isEqualTo(key);
      assertThat(folder.isNew()).isFalse();
    }
  }

  @Test
  void folder_from_before_there_were_keys_gets_one_and_keeps_its_id() throws IOException {
    Files.createDirectories(path());
    var id = UUID.randomUUID().toString();
    Files.writeString(path().resolve("worker-id"), id + "\n");
    try (AgentFolder folder = opened(path())) {
      assertThat(folder.worker()).hasToString(id);
      assertThat(folder.isNew()).isFalse();
      assertThat(folder.path().resolve("worker-key")).exists();
    }
  }

  /** Not UTF-8, empty, too long, other text. */
  @ParameterizedTest
  @ValueSource(strings = {"worker-id", "worker-key"})
  void damaged_identity_is_set_aside_and_the_worker_begins_anew(String name) throws IOException {
    var file = path().resolve(name);
    var tooLong = "a".repeat(2_000).getBytes(UTF_8);
    for (byte[] damage :
        List.of(new byte[] {-1, -2, -128, -1}, new byte[0], tooLong, "1-1-1-1-1".getBytes(UTF_8))) {
      WorkerId before;
      WorkerKey key;
      try (AgentFolder folder = opened(path())) {
        before = folder.worker();
        key = folder.key();
        assertThat(folder.nextSessionNumber()).isEqualTo(1);
      }
      Files.write(file, damage);
      try (AgentFolder folder = opened(path())) {
        assertThat(folder.worker()).isNotEqualTo(before);
        assertThat(folder.key()).isNotEqualTo(key);
        assertThat(folder.isNew()).isTrue();
      }
      assertThat(path().resolve(name + ".damaged")).hasBinaryContent(damage);
    }
  }

  @Test
  void processes_are_counted_and_a_damaged_count_begins_anew() throws IOException {
    try (AgentFolder folder = opened(path())) {
      assertThat(folder.nextSessionNumber()).isEqualTo(1);
      assertThat(folder.nextSessionNumber()).isEqualTo(2);
      folder.sessionNumber(41);
      assertThat(folder.nextSessionNumber()).isEqualTo(42);
      var file = path().resolve("session-number");
      for (String damage : List.of("", "-3", "9".repeat(19), "x")) {
        Files.writeString(file, damage);
        assertThat(folder.nextSessionNumber()).isEqualTo(1);
      }
      Files.write(file, new byte[] {-1, -2, -128, -1});
      assertThat(folder.nextSessionNumber()).isEqualTo(1);
    }
  }

  @Test
  void folder_that_lets_tasks_through_closes_what_is_in_it() throws IOException {
    try (AgentFolder folder = opened(path())) {
      var readable = PosixFilePermissions.fromString("rw-r--r--");
      for (String name : List.of("join-token", "belay.log.1")) {
        Files.setPosixFilePermissions(Files.writeString(path().resolve(name), "secret"), readable);
      }
      var other = Files.createDirectory(path().resolve("other"));
      Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxr-xr-x"));
      folder.letThrough();
      assertThat(permissions("join-token")).isEqualTo("rw-------");
      assertThat(permissions("belay.log.1")).isEqualTo("rw-------");
      assertThat(permissions("logs")).isEqualTo("rwx------");
      assertThat(permissions("other")).isEqualTo("rwx------");
      assertThat(permissions("work")).isEqualTo("rwx--x--x");
      assertThat(permissions("")).isEqualTo("rwx--x--x");
    }
  }

  @Test
  void what_was_kept_back_is_freed_only_by_the_process_that_has_the_folder() throws IOException {
    // Every disk counts as full.
    var reserve = new ReserveSettings(1 << 20, 1L << 60, 0);
    try (AgentFolder _ = opened(path())) {
      Files.writeString(path().resolve("reserve"), "kept back");
      assertThat(AgentFolder.open(path(), UUID::randomUUID, new SecureRandom(), reserve))
          .isInstanceOf(AgentFolder.InUse.class);
      assertThat(path().resolve("reserve")).exists();
    }
    var opening = AgentFolder.open(path(), UUID::randomUUID, new SecureRandom(), reserve);
    try (AgentFolder _ = ((AgentFolder.Opened) opening).folder()) {
      assertThat(path().resolve("reserve")).doesNotExist();
    }
  }

  private String permissions(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path().resolve(name)));
  }

  private Path path() {
    return temp.resolve("agent");
  }

  private static AgentFolder opened(Path path) throws IOException {
    return ((AgentFolder.Opened) AgentFolder.open(path, UUID::randomUUID, new SecureRandom()))
        .folder();
  }

  private String otherProcessOpens() throws Exception {
    Process other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Other.class.getName(),
                path().toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), UTF_8);
    other.waitFor();
    return said.strip();
  }

  /** Runs in the other JVM. */
  static final class Other {
    private Other() {}

    public static void main(String[] args) throws IOException {
      System.out.println(
          switch (AgentFolder.open(Path.of(args[0]), UUID::randomUUID, new SecureRandom())) {
            case AgentFolder.Opened ignored -> "opened";
            case AgentFolder.InUse inUse -> inUse.message();
          });
    }
  }
}
