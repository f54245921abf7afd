package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.spec.QueueOf;
import dev.belay.server.metrics.Topics;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.store.intake.NewTask;
import dev.belay.store.system.KnownRoutes.Route;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.Problems;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.SubmittedTask;
import dev.belay.workflow.tree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The body of a submit: one task, or many.
 *
 * @param batches in the given order
 */
record Submit(List<Batch> batches, boolean isBulk) {

  static final String KEY_HEADER = "idempotency-key";
  private static final String KEY_FIELD = "idempotency_key";
  private static final int KEY_CHARS_MAX = 255;

  static Submit of(Call call, byte[] bytes, int tasksMax) {
    var headerKey = key(call);
    var problems = new Problems("");
    var body = JsonText.body(bytes, problems);
    var isBulk = body.entries().stream().anyMatch(entry -> entry.name().equals("tasks"));
    var tasks = isBulk ? bulk(body, tasksMax, problems) : List.<Node>of(body);
    var batches = new ArrayList<Batch>(tasks.size());
    var reader = new SubmittedTask.Reader(problems);
    for (int i = 0; i < tasks.size() && !problems.isFull(); i++) {
      var batch = batch(tasks.get(i), headerKey != null, problems, reader);
      if (batch != null) {
        batches.add(batch);
      }
    }
    if (headerKey != null && problems.isEmpty()) {
      refuseTenants(tasks, batches, problems);
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The submit is not valid; nothing was stored.");
    }
    return new Submit(
        headerKey == null ? batches : List.of(together(headerKey, batches, body)), isBulk);
  }

  /** Where the tasks want to run; a task that only waits runs nowhere. */
  Set<Route> routes() {
    return batches.stream()
        .flatMap(batch -> batch.tasks().stream())
        .map(NewTask::queue)
        .filter(Objects::nonNull)
        .map(queue -> new Route(queue.placement().topic(), queue.placement().pool()))
        .collect(Collectors.toSet());
  }

  /** How many tasks have each topic; those that are not declared count as one. */
  Map<String, Integer> topics(Set<String> declared) {
    return batches.stream()
        .flatMap(batch -> batch.tasks().stream())
        .map(NewTask::queue)
        .filter(Objects::nonNull)
        .map(queue -> queue.placement().topic())
        .filter(Objects::nonNull)
        .collect(
            Collectors.toMap(
                topic -> declared.contains(topic) ? topic : Topics.OTHER, _ -> 1, Integer::sum));
  }

  /** The Idempotency-Key of a request; null without one. */
  static @Nullable String key(Call call) {
    var key = call.header(KEY_HEADER);
    if (key != null && !isKey(key)) {
      throw new Refused(
          HttpStatus.BAD_REQUEST,
          "The header Idempotency-Key must have 1 to " + KEY_CHARS_MAX + " printable characters.");
    }
    return key;
  }

  private static List<Node> bulk(Node.Mapping body, int tasksMax, Problems problems) {
    List<Node> tasks = List.of();
    for (var entry : body.entries()) {
      if (!entry.name().equals("tasks")) {
        problems.add(entry.at(), "does not belong beside tasks; put it into each task");
      } else if (entry.value() instanceof Node.Sequence(_, var items)
          && !items.isEmpty()
          && items.size() <= tasksMax) {
        tasks = items;
      } else {
        problems.add(entry.at(), "must be a list of 1 to " + tasksMax + " tasks");
      }
    }
    return tasks;
  }

  private static @Nullable Batch batch(
      Node node, boolean isKeyed, Problems problems, SubmittedTask.Reader reader) {
    if (!(node instanceof Node.Mapping mapping)) {
      problems.add(node.at(), "must be an object");
      return null;
    }
    checkKey(mapping, isKeyed, problems);
    var task = reader.read(mapping);
    if (task == null) {
      return null;
    }
    var work = task.work();
    return new Batch(
        task.key() == null ? null : key(mapping, task.key(), task.tenant()),
        List.of(
            new NewTask(
                    task.tenant(),
                    task.name(),
                    task.priority(),
                    task.queue().pool(),
                    work == null
                        ? SpecCodec.waitToJson(Objects.requireNonNull(task.timer()))
                        : SpecCodec.workToJson(work),
                    JsonValues.write(task.labels()),
                    work != null && work.policy().isStrict(),
                    task.deadline(),
                    task.timer(),
                    work == null
                        ? null
                        : QueueOf.alone(task.tenant(), task.queue(), task.labels(), work.policy()))
                .with(task.unique())));
  }

  private static void checkKey(Node.Mapping task, boolean isKeyed, Problems problems) {
    for (var entry : task.entries()) {
      if (!entry.name().equals(KEY_FIELD)) {
        continue;
      }
      if (isKeyed) {
        problems.add(entry.value().at(), "give it either as a header or in the tasks, not both");
      }
      if (!(entry.value() instanceof Node.Scalar(_, var text, var kind)
          && kind == Node.Kind.TEXT
          && isKey(text))) {
        problems.add(
            entry.value().at(),
            "must be a text of 1 to " + KEY_CHARS_MAX + " printable characters");
      }
    }
  }

  private static IdempotencyKey key(Node.Mapping task, Node written, String tenant) {
    var work = task.entries().stream().filter(entry -> !entry.name().equals(KEY_FIELD)).toList();
    return new IdempotencyKey(
        tenant, String.valueOf(written.value()), hash(new Node.Mapping(task.at(), work)));
  }

  /** Tasks under one key share one tenant, because the key is unique in a tenant. */
  private static void refuseTenants(List<Node> tasks, List<Batch> batches, Problems problems) {
    var tenant = tenant(batches.getFirst());
    for (int i = 0; i < batches.size(); i++) {
      if (!tenant(batches.get(i)).equals(tenant)) {
        problems.add(
            tasks.get(i).at(), "tenant must be the same in all tasks under one Idempotency-Key");
      }
    }
  }

  private static Batch together(String key, List<Batch> batches, Node.Mapping body) {
    var tasks = batches.stream().map(batch -> batch.tasks().getFirst()).toList();
    return new Batch(new IdempotencyKey(tenant(batches.getFirst()), key, hash(body)), tasks);
  }

  private static String tenant(Batch batch) {
    return batch.tasks().getFirst().tenant();
  }

  private static String hash(Node.Mapping request) {
    return JsonText.hash(Map.of("submit", request.value()));
  }

  private static boolean isKey(String key) {
    return !key.isEmpty()
        && key.length() <= KEY_CHARS_MAX
        && key.chars().allMatch(c -> c >= ' ' && c <= '~');
  }
}
