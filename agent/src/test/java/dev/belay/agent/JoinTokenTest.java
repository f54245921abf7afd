package dev.belay.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.process.TaskUser;
import dev.belay.agent.state.ReserveSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Anyone who can read the join token can become a worker: another user's tasks must not. */
@Timeout(60)
class JoinTokenTest {

  private static final int DAEMON = 1;

  /** No group of this machine has it. */
  private static final int STRANGE_GROUP = 61_234;

  @TempDir Path temp;

  @BeforeEach
  void open() throws IOException {
    permit(temp, "rwx--x--x");
  }

  @Test
  void token_that_everybody_can_read_is_refused() throws Exception {
    Path token = token(temp.resolve("join-token"), "rw-r--r--");
    assertRefused(user(DAEMON), token, token);
  }

  @Test
  void token_that_a_group_of_the_user_can_read_is_refused() throws Exception {
    assumeRoot();
    Path token = token(temp.resolve("join-token"), "rw-r-----");
    Files.setAttribute(token, "unix:gid", DAEMON);
    // With this primary group, daemon is one of its other groups, which the system adds.
    assertRefused(user(STRANGE_GROUP), token, token);
    assertRefused(user(DAEMON), token, token);
  }

  @Test
  void token_of_a_group_that_the_user_is_not_in_is_taken() throws Exception {
    assumeRoot();
    Path token = token(temp.resolve("join-token"), "rw-r-----");
    Files.setAttribute(token, "unix:gid", STRANGE_GROUP);
    start(user(DAEMON), token).close();
  }

  @Test
  void link_in_the_agents_folder_does_not_hide_a_readable_token() throws Exception {
    Path token = token(temp.resolve("elsewhere"), "rw-r--r--");
    Path link = Files.createDirectory(temp.resolve("agent")).resolve("join-token");
    Files.createSymbolicLink(link, token);
    assertRefused(user(DAEMON), link, token);
  }

  @Test
  void token_in_the_agents_folder_is_made_private() throws Exception {
    assumeRoot();
    Path folder = Files.createDirectory(temp.resolve("agent"));
    Path token = token(folder.resolve("join-token"), "rw-r--r--");
    start(user(DAEMON), token).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
        .isEqualTo("rw-------");
  }

  @Test
  void folder_in_which_something_belongs_to_the_user_is_refused() throws Exception {
    assumeRoot();
    Path folder = Files.createDirectory(temp.resolve("agent"));
    Path token = token(folder.resolve("join-token"), "rw-------");
    Files.setAttribute(token, "unix:uid", DAEMON);
    assertThatThrownBy(() -> start(user(DAEMON), token))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(token + " belongs to the user daemon");
    Files.setAttribute(token, "unix:uid", 0);
    Files.setAttribute(folder, "unix:uid", DAEMON);
    assertThatThrownBy(() -> start(user(DAEMON), token))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(folder + " belongs to the user daemon");
  }

  private void assertRefused(TaskUser user, Path named, Path real) {
    assertThatThrownBy(() -> start(user, named))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could read the join token")
        .hasMessageContaining("chmod 600 " + real);
  }

  private Agent start(TaskUser user, Path token) throws IOException {
    var account = new TaskAccount(Optional.of(user), Optional.empty());
    return Agent.start(
        AgentTest.settings(
            token, temp, 4, account, ReserveSettings.defaults(), URI.create("http://127.0.0.1:1")));
  }

  private static TaskUser user(int gid) {
    return new TaskUser("daemon", DAEMON, gid, "/usr/sbin", "/bin/sh");
  }

  private static Path token(Path file, String permissions) throws IOException {
    return permit(Files.writeString(file, "token"), permissions);
  }

  private static Path permit(Path file, String permissions) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static void assumeRoot() throws IOException {
    assumeTrue(TaskUser.own() == 0, "needs root, to be another user");
  }
}
