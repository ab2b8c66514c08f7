import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Java 17, no library and no build: a world per test, through any mock that serves.
 *
 * <pre>
 * lockstep mock --port 0 --ready-file ready.json &amp;
 * eval "$(lockstep env --ready-file ready.json --wait 10s)"
 * java Staging.java
 * </pre>
 */
public class Staging {
  interface Test {
    void run() throws Exception;
  }

  static final String BASE_URL = System.getenv("LOCKSTEP_BASE_URL");
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  static void anEnabledEnvironmentIsListed() throws Exception {
    String world = newWorld();
    expect(200, enable(keyOf(world, "admin"), "feature-orders").statusCode());
    expect(List.of("202", "203"), staging(keyOf(world, "admin")));
  }

  static void aMemberMayNotAddRecipients() throws Exception {
    String path = "/api/v1/deployments/1/notifications/31/recipients";
    String recipients = "{\"recipients\": [{\"userId\": 2}]}";
    expect(403, call("POST", path, keyOf(newWorld(), "member"), recipients).statusCode());
  }

  static void anotherWorldDoesNotSeeIt() throws Exception {
    String world = newWorld();
    String other = newWorld();
    enable(keyOf(world, "admin"), "feature-orders");
    expect(List.of("203"), staging(keyOf(other, "admin")));
  }

  /** What the control API says of a world of one's own. */
  static String newWorld() throws IOException, InterruptedException {
    HttpResponse<String> made = call("POST", "/__admin/worlds", null, "{\"fixture\": \"acme\"}");
    expect(201, made.statusCode());
    return made.body();
  }

  /** Its credentials name a world, through the one address. */
  static String keyOf(String world, String credential) {
    return texts(world, credential).get(0);
  }

  static HttpResponse<String> enable(String key, String branch)
      throws IOException, InterruptedException {
    String body = "{\"branchName\": \"" + branch + "\", \"enabled\": true}";
    return call("PUT", "/build/api/v1/deployments/1/branches/staging-environment", key, body);
  }

  /** Ids of the staging environments that the client sees. */
  static List<String> staging(String key) throws IOException, InterruptedException {
    String path = "/api/v1/deployments/1/environments?type=staging";
    HttpResponse<String> answer = call("GET", path, key, "");
    expect(200, answer.statusCode());
    return texts(answer.body(), "id");
  }

  static HttpResponse<String> call(String method, String path, String key, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(BASE_URL + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    if (key != null) request.header("Authorization", "Bearer " + key);
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  /** The texts that stand under a name: the JDK brings no JSON, and this is enough here. */
  static List<String> texts(String json, String name) {
    Pattern field = Pattern.compile("\"" + name + "\":\\s*\"([^\"]*)\"");
    return field.matcher(json).results().map((MatchResult found) -> found.group(1)).toList();
  }

  static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }

  static int failed = 0;

  static void test(String name, Test test) {
    try {
      test.run();
      System.out.println("ok - " + name);
    } catch (Exception | AssertionError error) {
      failed += 1;
      System.out.println("not ok - " + name + ": " + error);
    }
  }

  public static void main(String[] args) {
    test("an enabled environment is listed", Staging::anEnabledEnvironmentIsListed);
    test("a member may not add recipients", Staging::aMemberMayNotAddRecipients);
    test("another world does not see it", Staging::anotherWorldDoesNotSeeIt);
    System.exit(failed == 0 ? 0 : 1);
  }
}
