package dev.belay.agent.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.WorkerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
  void damaged_worker_id_is_explained() throws IOException {
    Files.createDirectories(path());
    Files.writeString(path().resolve("worker-id"), "");
    assertThatThrownBy(() -> opened(path())).hasMessageContaining("does not hold a worker id");
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

  /** What runs in the other JVM. */
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
