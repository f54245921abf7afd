package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.statement.SteerStatements.Control;
import dev.belay.settings.JsonGroup;
import dev.belay.settings.RequestGroup;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.RolledBack;
import dev.belay.store.read.Workflow;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.Problems;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Workflows: register, validate, read, roll back, pause, resume. */
final class WorkflowHandlers {

  private static final List<MediaType> FILE_TYPES =
      List.of(
          MediaType.parse("application/yaml"),
          MediaType.JSON,
          MediaType.parse("application/x-yaml"),
          MediaType.parse("text/yaml"),
          MediaType.parse("text/x-yaml"),
          MediaType.parse("text/plain"),
          MediaType.OCTET_STREAM);

  private final RestDependencies parts;

  WorkflowHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  HttpResponse register(Call call) {
    var file = check(call);
    var spec = file.spec();
    var registered =
        parts
            .store()
            .workflows()
            .register(
                new NewWorkflow(
                    spec.tenant(), spec.name(), spec.tasks().size(), file.json(), file.source()),
                call.actor());
    var answer = summary(spec);
    answer.put("id", registered.id());
    answer.put("version", registered.version());
    answer.put("created", registered.created());
    answer.put("restored", registered.restored());
    return Answers.json(registered.created() ? HttpStatus.CREATED : HttpStatus.OK, answer);
  }

  HttpResponse validate(Call call) {
    return Answers.ok(summary(check(call).spec()));
  }

  HttpResponse list(Call call) {
    return Answers.page(
        parts
            .store()
            .reads()
            .workflows(
                call.tenant(),
                call.flag("deleted"),
                call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse versions(Call call) {
    var name = call.path("name");
    var cursor = call.numberOrNull("cursor", 1, Integer.MAX_VALUE);
    var versions =
        parts
            .store()
            .reads()
            .versions(
                call.tenant(),
                name,
                cursor == null ? null : cursor.intValue(),
                call.limit(parts.settings().of(RequestGroup.PAGE_MAX)));
    if (versions.items().isEmpty() && cursor == null) {
      throw new Refused(Problem.notFound("workflow", name));
    }
    return Answers.ok(versions);
  }

  /** Makes a new version with the content of an earlier one. */
  HttpResponse rollBack(Call call) {
    var name = call.path("name");
    var version = version(call);
    return switch (parts.store().workflows().rollBack(call.tenant(), name, version, call.actor())) {
      case RolledBack.Done(var latest) -> {
        var answer = new LinkedHashMap<String, Object>();
        answer.put("tenant", call.tenant());
        answer.put("name", name);
        answer.put("id", latest.id());
        answer.put("version", latest.version());
        answer.put("created", latest.created());
        answer.put("restored", latest.restored());
        yield Answers.json(latest.created() ? HttpStatus.CREATED : HttpStatus.OK, answer);
      }
      case RolledBack.NoVersion _ ->
          throw new Refused(
              HttpStatus.NOT_FOUND,
              "There is no workflow " + name + " with version " + version + ".");
    };
  }

  private static int version(Call call) {
    var problems = new Problems("");
    var entries = JsonText.body(call.jsonBody(), problems).entries();
    if (problems.isEmpty()
        && entries.size() == 1
        && entries.getFirst().name().equals("version")
        && entries.getFirst().value().value() instanceof Long number
        && number > 0
        && number.intValue() == number) {
      return number.intValue();
    }
    throw new Refused(
        Problem.of(HttpStatus.UNPROCESSABLE_ENTITY, "The rollback is not valid; nothing changed.")
            .withErrors(
                List.of(
                    Problem.fault("version", "must be the only field: the number of a version"))));
  }

  HttpResponse find(Call call) {
    var name = call.path("name");
    var version = call.numberOrNull("version", 1, Integer.MAX_VALUE);
    call.needs(
        Memory.COPIES
            * parts
                .store()
                .reads()
                .workflowBytes(call.tenant(), name, version == null ? null : version.intValue()));
    var found =
        parts
            .store()
            .reads()
            .workflow(call.tenant(), name, version == null ? null : version.intValue());
    return Answers.ok(
        found
            .map(WorkflowHandlers::detail)
            .orElseThrow(() -> new Refused(Problem.notFound("workflow", name))));
  }

  HttpResponse pause(Call call) {
    var name = call.path("name");
    return control(name, parts.store().steering().pause(call.tenant(), name, call.actor()));
  }

  HttpResponse resume(Call call) {
    var name = call.path("name");
    return control(name, parts.store().steering().resume(call.tenant(), name, call.actor()));
  }

  private static HttpResponse control(String name, Optional<Control> control) {
    return Answers.ok(control.orElseThrow(() -> new Refused(Problem.notFound("workflow", name))));
  }

  private static Object detail(Workflow.Detail detail) {
    return JsonText.object(detail.workflow())
        .put("source", detail.source())
        .putRawValue("spec", JsonText.raw(detail.spec()));
  }

  private record Checked(String source, WorkflowSpec spec, String json) {}

  private Checked check(Call call) {
    var body = call.body(FILE_TYPES);
    var checked = parts.checking().call(call, body.length, () -> checked(call, source(body)));
    call.needsForSpec(checked.json().length());
    return checked;
  }

  private static String source(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new Refused(HttpStatus.BAD_REQUEST, "The workflow file is not text in UTF-8.");
    }
  }

  private Checked checked(Call call, String source) {
    var file = call.text("file");
    var valuesMax = parts.settings().of(JsonGroup.WORKFLOW_VALUES_MAX);
    return switch (WorkflowFile.parse(file == null ? "workflow.yaml" : file, source, valuesMax)) {
      case Parsed.Valid(var spec) -> new Checked(source, spec, SpecCodec.toJson(spec));
      case Parsed.Invalid(var problems) ->
          throw Refused.invalid(problems, "The workflow file has errors; nothing was stored.");
    };
  }

  private static Map<String, Object> summary(WorkflowSpec spec) {
    var summary = new LinkedHashMap<String, Object>();
    summary.put("tenant", spec.tenant());
    summary.put("name", spec.name());
    summary.put("task_count", spec.tasks().size());
    return summary;
  }
}
