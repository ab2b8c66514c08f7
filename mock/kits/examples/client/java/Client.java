import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client of the service. CLIENT_FAULT switches on mistakes, by name, several with commas between them. */
final class Client {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final List<String> FAULTS =
      List.of(System.getenv().getOrDefault("CLIENT_FAULT", "").split(","));

  static boolean has(String fault) {
    return FAULTS.contains(fault);
  }

  /** No answer, or none that can be used. */
  static final class Failed extends Exception {
    Failed(String message) {
      super(message);
    }
  }

  static String createToken(String environment) throws Failed {
    String path = "/api/v1/deployments/1/environments/" + environment + "/tokens-for-meta-sync";
    Request request = admin("POST", path, "{\"security_context\": {\"tenant_id\": 42}}");
    Object answer;
    try {
      answer = read(send(request));
    } catch (Failed failed) {
      // Nothing says that this write may be repeated.
      if (!has("blind-repeat")) throw failed;
      answer = read(send(request));
    }
    return (String) Json.at(answer, "data", "token");
  }

  static String renameFolder(int folder, String name) throws Failed {
    String path = "/api/v1/deployments/1/folders/" + folder;
    try {
      Object answer = read(send(admin("PUT", path, "{\"name\": \"" + name + "\"}")));
      return (String) Json.at(answer, "name");
    } catch (Failed failed) {
      if (!has("swallowed-error")) throw failed;
      return name;
    }
  }

  static List<String> users() throws Failed {
    List<String> names = new ArrayList<>();
    while (true) {
      String path = "/api/scim/v2/Users?startIndex=" + (names.size() + 1);
      Object page = read(send(admin("GET", path, null).with(System.getenv("LOCKSTEP_SCIM_TOKEN"))));
      List<?> found = Json.list(Json.at(page, "Resources"));
      for (Object user : found) names.add((String) Json.at(user, "userName"));
      if (has("half-of-the-pages")) return names;
      if (names.size() >= (Double) Json.at(page, "totalResults")) return names;
      if (found.isEmpty()) throw new Failed("a page is empty, and there is more to come");
    }
  }

  static String currentVersion() throws Failed {
    Request request = admin("GET", "/api/v1/deployments/1/versions", null);
    Object answer = read(send(has("hang") ? request.withoutLimit() : request));
    for (Object version : Json.list(Json.at(answer, "data"))) {
      if (Json.at(version, "isCurrent") == (Object) true) return (String) Json.at(version, "version");
    }
    throw new Failed("no version is current");
  }

  static String enableStaging(String branch) throws Failed {
    String path = "/build/api/v1/deployments/1/branches/staging-environment";
    String body = "{\"branchName\": \"" + branch + "\", \"enabled\": true}";
    HttpResponse<String> answer = send(admin("PUT", path, body));
    int status = answer.statusCode();
    // The description says that it is refused, and not with which status.
    boolean isRefused = has("status") ? status == 400 : status >= 400 && status < 500;
    if (isRefused) return "refused";
    read(answer);
    return "enabled";
  }

  static List<String> addRecipient(int notification, int user) throws Failed {
    String path = "/api/v1/deployments/1/notifications/" + notification + "/recipients";
    Request request = admin("POST", path, "{\"recipients\": [{\"userId\": " + user + "}]}");
    // Without the header it is left to the service to take the body for JSON.
    Object answer = read(send(has("header") ? request.withoutType() : request));
    List<String> emails = new ArrayList<>();
    for (Object recipient : Json.list(Json.at(answer, "createdRecipients"))) {
      emails.add((String) Json.at(recipient, "email"));
    }
    return emails;
  }

  static boolean hasStaging(String branch) throws Failed {
    HttpResponse<String> answer =
        send(admin("GET", "/api/v1/deployments/1/environments?type=staging", null));
    // A gateway's 503 in JSON has no environments either.
    Object page = has("parse") ? Json.parse(answer.body()) : read(answer);
    for (Object one : Json.list(Json.at(page, "data", "environments"))) {
      if (("staging " + branch).equals(Json.at(one, "name"))) return true;
    }
    return false;
  }

  private record Request(
      String method, String path, String key, String body, boolean typed, boolean limited) {
    Request with(String otherKey) {
      return new Request(method, path, otherKey, body, typed, limited);
    }

    Request withoutType() {
      return new Request(method, path, key, body, false, limited);
    }

    Request withoutLimit() {
      return new Request(method, path, key, body, typed, false);
    }
  }

  private static Request admin(String method, String path, String body) {
    return new Request(method, path, System.getenv("LOCKSTEP_ADMIN_KEY"), body, true, true);
  }

  /** An answer, whatever its status. */
  private static HttpResponse<String> send(Request request) throws Failed {
    URI uri = URI.create(System.getenv("LOCKSTEP_BASE_URL") + request.path());
    HttpRequest.Builder made =
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + request.key());
    if (request.body() != null && request.typed()) made.header("Content-Type", "application/json");
    if (request.limited()) made.timeout(Duration.ofSeconds(3));
    made.method(
        request.method(),
        request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body()));
    try {
      // The timeout of a request ends as its headers come; this one is for the body as well.
      var answer = CLIENT.sendAsync(made.build(), BodyHandlers.ofString());
      return request.limited() ? answer.get(3, TimeUnit.SECONDS) : answer.get();
    } catch (ExecutionException | TimeoutException | InterruptedException error) {
      throw new Failed(request.method() + " " + request.path() + ": " + error);
    }
  }

  /** JSON of an answer that is a success. */
  private static Object read(HttpResponse<String> answer) throws Failed {
    int status = answer.statusCode();
    if (status < 200 || status > 299) throw new Failed("answered " + status);
    try {
      return Json.parse(answer.body());
    } catch (IllegalArgumentException error) {
      throw new Failed("the answer is not JSON");
    }
  }
}
