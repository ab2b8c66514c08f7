// Go, its standard library only: a world per test, through any mock that serves.
//
//	lockstep mock --port 0 --ready-file ready.json &
//	eval "$(lockstep env --ready-file ready.json --wait 10s)"
//	go test -v ./...
package lockstep

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"testing"
)

// call answers with a status, and decodes the body into result.
func call(t *testing.T, method, path, key string, body, result any) int {
	t.Helper()
	baseURL := os.Getenv("LOCKSTEP_BASE_URL")
	if baseURL == "" {
		t.Fatal("LOCKSTEP_BASE_URL is not set; see lockstep env")
	}
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, baseURL+path, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(result); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode
}

// newWorld answers with the credentials of a world of the test's own: they name it, through the one
// address.
func newWorld(t *testing.T) map[string]string {
	t.Helper()
	var world struct{ Credentials map[string]string }
	asked := map[string]string{"fixture": "acme"}
	if status := call(t, "POST", "/__admin/worlds", "", asked, &world); status != 201 {
		t.Fatalf("no world: %d", status)
	}
	return world.Credentials
}

func enable(t *testing.T, key, branch string) int {
	t.Helper()
	path := "/build/api/v1/deployments/1/branches/staging-environment"
	var answer any
	return call(t, "PUT", path, key, map[string]any{"branchName": branch, "enabled": true}, &answer)
}

// staging answers with the ids of the staging environments that the client sees.
func staging(t *testing.T, key string) []string {
	t.Helper()
	var answer struct {
		Data struct{ Environments []struct{ ID string } }
	}
	path := "/api/v1/deployments/1/environments?type=staging"
	if status := call(t, "GET", path, key, nil, &answer); status != 200 {
		t.Fatalf("no environments: %d", status)
	}
	ids := []string{}
	for _, environment := range answer.Data.Environments {
		ids = append(ids, environment.ID)
	}
	return ids
}

func expectIDs(t *testing.T, actual []string, expected ...string) {
	t.Helper()
	if !reflect.DeepEqual(actual, expected) {
		t.Errorf("expected %v, got %v", expected, actual)
	}
}

func TestAnEnabledEnvironmentIsListed(t *testing.T) {
	t.Parallel()
	keys := newWorld(t)
	if status := enable(t, keys["admin"], "feature-orders"); status != 200 {
		t.Errorf("expected 200, got %d", status)
	}
	expectIDs(t, staging(t, keys["admin"]), "202", "203")
}

func TestAMemberMayNotAddRecipients(t *testing.T) {
	t.Parallel()
	keys := newWorld(t)
	path := "/api/v1/deployments/1/notifications/31/recipients"
	recipients := map[string]any{"recipients": []map[string]int{{"userId": 2}}}
	var answer any
	if status := call(t, "POST", path, keys["member"], recipients, &answer); status != 403 {
		t.Errorf("expected 403, got %d", status)
	}
}

func TestAnotherWorldDoesNotSeeIt(t *testing.T) {
	t.Parallel()
	keys, other := newWorld(t), newWorld(t)
	enable(t, keys["admin"], "feature-orders")
	expectIDs(t, staging(t, other["admin"]), "203")
}
