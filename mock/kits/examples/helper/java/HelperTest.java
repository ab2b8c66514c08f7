import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A fault, a world's end, and a test against every service that this could be. In JUnit each method that
 * starts with `test` has `@Test`, and nothing else changes. `javac -d out *.java && java -cp out HelperTest`
 */
final class HelperTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String DEPLOYMENTS = "/api/v1/deployments";
  private static final String FOLDER = "/api/v1/deployments/1/folders/13";

  static void testAFaultStrikesOnce() throws Exception {
    try (var world = Lockstep.world("{}")) {
      world.call("POST", "/faults", "{\"operation\": \"listDeployments\", \"status\": 503, \"times\": 1}");
      expect(503, send(world, "GET", DEPLOYMENTS, null).statusCode());
      expect(200, send(world, "GET", DEPLOYMENTS, null).statusCode());
    }
  }

  static void testAWorldEnds() throws Exception {
    var world = Lockstep.world("{\"fixture\": \"basic-plan\"}");
    expect(200, send(world, "GET", DEPLOYMENTS, null).statusCode());
    world.close();
    expect(401, send(world, "GET", DEPLOYMENTS, null).statusCode());
  }

  /**
   * HttpClient sends a read again by itself if a connection that was kept alive is reset before an answer.
   * HttpURLConnection sends a write again as well: the service does it twice, and the client never hears of the loss.
   */
  static void testJavaRepeatsARequestOnAConnectionThatIsReset() throws Exception {
    String reset = "{\"phase\": \"socket\", \"kind\": \"reset\", \"times\": 1}";
    try (var world = Lockstep.world("{}")) {
      send(world, "GET", DEPLOYMENTS, null); // opens the connection
      world.call("POST", "/faults", reset);
      expect(200, send(world, "GET", DEPLOYMENTS, null).statusCode());
      expect(200, oldSend(world, "GET", DEPLOYMENTS)); // opens the connection
      world.call("POST", "/faults", reset);
      expect(200, oldSend(world, "PUT", FOLDER));
      expect(2, world.call("GET", "/requests", null).split("\"operation\": *\"updateFolder\"").length - 1);
    }
  }

  static int oldSend(Lockstep.World world, String method, String path) throws Exception {
    var connection = (HttpURLConnection) URI.create(world.baseUrl() + path).toURL().openConnection();
    connection.setRequestProperty("Authorization", "Bearer " + world.credential("admin"));
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestMethod(method);
    if (method.equals("PUT")) {
      connection.setDoOutput(true);
      connection.getOutputStream().write("{\"name\": \"Q1\"}".getBytes());
    }
    connection.getInputStream().readAllBytes();
    return connection.getResponseCode();
  }

  static void testEveryServiceThatThisCouldBe() throws Exception {
    Lockstep.ClientTest good =
        (world) -> {
          var answer = send(world, "PUT", FOLDER, "{\"name\": \"Q1\"}");
          expect(200, answer.statusCode());
          expect(List.of("Q1"), Lockstep.texts(answer.body(), "name").subList(0, 1));
        };
    Lockstep.ClientTest bad =
        (world) -> {
          try {
            send(world, "PUT", FOLDER, "{\"name\": \"Q1\"}");
          } catch (Exception error) {
            System.out.println("nobody hears of it");
          }
        };
    try (var world = Lockstep.world("{}")) {
      expect(List.of(), Lockstep.findings(world, good, 10_000, "sweep", "loss"));
      String found = String.join("\n", Lockstep.findings(world, bad, 10_000, "loss", "mutant"));
      expect(true, found.contains("updateFolder:before  swallowed-error"));
      expect(true, found.contains("type:updateFolder:name  nobody noticed"));
    }
  }

  /** In the place of your client. */
  static HttpResponse<String> send(Lockstep.World world, String method, String path, String body)
      throws Exception {
    var content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request =
        HttpRequest.newBuilder(URI.create(world.baseUrl() + path))
            .header("Authorization", "Bearer " + world.credential("admin"))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(2))
            .method(method, content);
    return CLIENT.sendAsync(request.build(), BodyHandlers.ofString()).orTimeout(2, TimeUnit.SECONDS).get();
  }

  static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }

  interface Test {
    void run() throws Exception;
  }

  public static void main(String[] arguments) {
    test("TestAFaultStrikesOnce", HelperTest::testAFaultStrikesOnce);
    test("TestAWorldEnds", HelperTest::testAWorldEnds);
    test("TestJavaRepeats", HelperTest::testJavaRepeatsARequestOnAConnectionThatIsReset);
    test("TestEveryServiceThatThisCouldBe", HelperTest::testEveryServiceThatThisCouldBe);
    System.exit(failed == 0 ? 0 : 1);
  }

  private static int failed = 0;

  private static void test(String name, Test test) {
    try {
      test.run();
      System.out.println("ok - " + name);
    } catch (Exception | AssertionError error) {
      failed += 1;
      System.out.println("not ok - " + name + ": " + error);
    }
  }
}
