package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.agent.wiring.Kernel;
import dev.belay.domain.settle.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Needs root, which alone can switch users. */
@Timeout(60)
class TaskUserTest {

  /** Exists on every Linux and owns nothing. */
  private static final String USER = "daemon";

  @TempDir Path temp;

  @BeforeEach
  void only_as_root() throws IOException {
    assumeTrue(TaskUser.own() == 0, "needs root, to run tasks as another user");
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @Test
  void task_runs_as_its_user_with_its_groups_and_home() throws Exception {
    try (Scene scene = scene()) {
      assertThat(
              run(
                  scene,
                  "test $(id -un) = daemon && test $(id -gn) = daemon && test $USER = daemon"
                      + " && test $LOGNAME = daemon && test $HOME = /usr/sbin && touch here"
                      + " && test $(stat -c %U .) = daemon && test \"$(umask)\" = 0022"))
          .isEqualTo(0);
    }
  }

  @Test
  void task_reads_nothing_of_the_agent() throws Exception {
    try (Scene scene = scene()) {
      Path secret = Files.writeString(scene.folder.journal(), "secret");
      Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
      assertThat(run(scene, "cat " + secret)).isEqualTo(1);
      assertThat(run(scene, "ls " + scene.folder.path())).isEqualTo(2);
      assertThat(run(scene, "ls " + scene.folder.work())).isEqualTo(2);
      assertThat(run(scene, "ls " + scene.folder.logs())).isEqualTo(2);
      assertThat(run(scene, "cat /proc/" + ProcessHandle.current().pid() + "/environ"))
          .isEqualTo(1);
    }
  }

  @Test
  void task_cannot_become_root_again() throws Exception {
    try (Scene scene = scene()) {
      assertThat(run(scene, "grep -q 'NoNewPrivs:.*1' /proc/self/status")).isEqualTo(0);
      assertThat(run(scene, "grep -q 'CapEff:.*0000000000000000' /proc/self/status")).isEqualTo(0);
    }
  }

  @Test
  void environment_of_a_task_is_obeyed_by_nothing_that_is_still_root() throws Exception {
    // With the variable set, the loader writes into this folder, as it would load a library.
    Path told = Files.createDirectory(temp.resolve("told"));
    Files.setPosixFilePermissions(told, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (Scene scene = scene()) {
      var dispatch =
          scene.dispatch("true").toBuilder()
              .putEnv("LD_DEBUG", "files")
              .putEnv("LD_DEBUG_OUTPUT", told.resolve("loader").toString())
              .build();
      assertThat(end(scene.prepare(dispatch))).isEqualTo(0);
    }
    try (var files = Files.list(told)) {
      assertThat(files.map(TaskUserTest::owner)).isNotEmpty().containsOnly(USER);
    }
  }

  @Test
  void task_may_open_its_output_by_name() throws Exception {
    try (Scene scene = scene()) {
      assertThat(run(scene, "echo hi > /dev/stdout && echo ho > /dev/stderr")).isEqualTo(0);
    }
  }

  @Test
  void script_is_its_own_and_its_folder_goes_with_it() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "kept");
    try (Scene scene = scene()) {
      var dispatch =
          scene
              .blank()
              .setScript(
                  "mkdir -p a/b/c && ln -s "
                      + outside
                      + " a/link\n"
                      + "i=0; while [ $i -lt 600 ]; do mkdir d; cd d; i=$((i + 1)); done\n")
              .build();
      assertThat(end(scene.prepare(dispatch))).isEqualTo(0);
      await().untilAsserted(() -> assertThat(scene.folder.work()).isEmptyDirectory());
    }
    assertThat(outside.resolve("kept")).exists();
  }

  @Test
  void root_and_the_user_of_postgres_are_refused() throws Exception {
    assertThatThrownBy(() -> TaskUser.choose("root", List.of())).hasMessageContaining("root");
    assertThatThrownBy(() -> TaskUser.choose("0", List.of())).hasMessageContaining("root");
    assertThatThrownBy(() -> TaskUser.choose("nobody", List.of()))
        .hasMessageContaining("PostgreSQL");
    assertThatThrownBy(() -> TaskUser.choose("no-such-user", List.of()))
        .hasMessageContaining("there is no user no-such-user");
    Path folder = Files.createDirectory(temp.resolve("postgres"));
    Files.setAttribute(folder, "unix:uid", 1);
    assertThatThrownBy(() -> TaskUser.choose(USER, List.of(folder)))
        .hasMessageContaining("user of PostgreSQL");
  }

  @Test
  void folder_that_the_user_cannot_enter_is_told_at_the_start() throws Exception {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwx------"));
    assertThatThrownBy(this::scene).hasMessageContaining("cannot enter");
  }

  private static String owner(Path file) {
    try {
      return Files.getOwner(file).getName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Scene scene() throws IOException {
    var user = TaskUser.choose(USER, List.of());
    return new Scene(
        temp.resolve("agent"), Kernel.real(), new TaskAccount(user, Optional.of("022")));
  }

  private static int run(Scene scene, String script) throws Exception {
    return end(scene.prepare(scene.shell(script)));
  }

  private static int end(LatchedProcess process) throws Exception {
    process.open(Instant.now());
    return process.ended().toCompletableFuture().get(20, TimeUnit.SECONDS).outcome()
            instanceof Outcome.Exited exit
        ? exit.code()
        : -1;
  }
}
