// A fault, the clock, an assumption, a world's end, and a test against every service that this could be.
//
//	lockstep mock --port 0 --ready-file ready.json &
//	eval "$(lockstep env --ready-file ready.json --wait 10s)"
//	go test -v ./...
package lockstep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	deployments = "/api/v1/deployments"
	folder      = "/api/v1/deployments/1/folders/13"
	staging     = "/build/api/v1/deployments/1/branches/staging-environment"
)

// send is in the place of your client.
func send(world *World, credential, method, path string, body any) (int, JSON, error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, world.BaseURL+path, sent)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+world.Credentials[credential])
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 2 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	// Go keeps a connection only if the body was read to its end.
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, err
	}
	var result JSON
	err = json.Unmarshal(text, &result)
	return answer.StatusCode, result, err
}

func expectStatus(t *testing.T, world *World, credential, method, path string, body any, expected int) {
	t.Helper()
	status, answer, err := send(world, credential, method, path, body)
	if err != nil || status != expected {
		t.Fatalf("expected %d, got %d %v %v", expected, status, answer, err)
	}
}

func TestAFaultStrikesOnce(t *testing.T) {
	world := NewWorld(t, JSON{})
	world.Call("POST", "/faults", JSON{"operation": "listDeployments", "status": 503, "times": 1}, nil)
	expectStatus(t, world, "admin", "GET", deployments, nil, 503)
	expectStatus(t, world, "admin", "GET", deployments, nil, 200)
}

func TestACredentialExpiresAsTheClockMoves(t *testing.T) {
	world := NewWorld(t, JSON{})
	expiry := JSON{"type": "expireCredential", "credential": "oauth", "in": JSON{"minutes": 5}}
	world.Call("POST", "/events", expiry, nil)
	expectStatus(t, world, "oauth", "GET", deployments, nil, 200)
	world.Call("POST", "/clock/advance", JSON{"minutes": 6}, nil)
	expectStatus(t, world, "oauth", "GET", deployments, nil, 401)
}

func TestAnAssumptionCanBeOtherwise(t *testing.T) {
	world := NewWorld(t, JSON{})
	enable := JSON{"branchName": "dev-ana", "enabled": true}
	expectStatus(t, world, "admin", "PUT", staging, enable, 400)
	world.Call("PUT", "/assumptions", JSON{"STAGE-9": "conflict"}, nil)
	expectStatus(t, world, "admin", "PUT", staging, enable, 409)
}

func TestAWorldEnds(t *testing.T) {
	var gone *World
	t.Run("it is there", func(t *testing.T) {
		gone = NewWorld(t, JSON{"fixture": "basic-plan"})
		expectStatus(t, gone, "admin", "GET", deployments, nil, 200)
	})
	if status, _, _ := send(gone, "admin", "GET", deployments, nil); status == 200 {
		t.Fatal("it is there still")
	}
}

// Go's transport sends a read again by itself if a connection that was kept alive is reset before an answer:
// the client never hears of the loss. A write, and the first request of a connection, it does not repeat.
func TestGoRepeatsAReadOnAConnectionThatIsReset(t *testing.T) {
	world := NewWorld(t, JSON{})
	expectStatus(t, world, "admin", "GET", deployments, nil, 200) // opens the connection
	world.Call("POST", "/faults", JSON{"phase": "socket", "kind": "reset", "times": 1}, nil)
	expectStatus(t, world, "admin", "GET", deployments, nil, 200)
	var journal struct{ Requests []struct{ Status int } }
	world.Call("GET", "/requests", nil, &journal)
	if statuses := fmt.Sprint(journal.Requests); statuses != "[{200} {0} {200}]" {
		t.Fatalf("expected a loss and its repetition, got %s", statuses)
	}
	world.Call("POST", "/faults", JSON{"phase": "socket", "kind": "reset", "times": 1}, nil)
	if _, _, err := send(world, "admin", "PUT", folder, JSON{"name": "Q1"}); err == nil {
		t.Fatal("a write was repeated")
	}
}

func TestEveryServiceThatThisCouldBe(t *testing.T) {
	good := func(world *World) error {
		status, answer, err := send(world, "admin", "PUT", folder, JSON{"name": "Q1"})
		if err == nil && (status != 200 || answer["name"] != "Q1") {
			err = errors.New("it was not renamed")
		}
		return err
	}
	bad := func(world *World) error {
		_, _, _ = send(world, "admin", "PUT", folder, JSON{"name": "Q1"})
		return nil
	}
	world := NewWorld(t, JSON{})
	if found := Findings(world, good, 10*time.Second, "sweep", "loss"); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
	found := strings.Join(Findings(world, bad, 10*time.Second, "loss", "mutant"), "\n")
	for _, expected := range []string{"updateFolder:before  swallowed-error", "type:updateFolder:name  nobody noticed"} {
		if !strings.Contains(found, expected) {
			t.Errorf("expected %s in:\n%s", expected, found)
		}
	}
}
