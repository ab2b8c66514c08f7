// Package lockstep is for tests in Go: copy this file next to yours. `lockstep env` sets LOCKSTEP_BASE_URL.
package lockstep

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"
)

type JSON = map[string]any

// World is one isolated tenant.
type World struct {
	t           testing.TB
	ID, BaseURL string
	Credentials map[string]string
}

// Admin calls the control API; path is taken from /__admin/.
func Admin(t testing.TB, method, path string, body, result any) {
	t.Helper()
	base := os.Getenv("LOCKSTEP_BASE_URL")
	if base == "" {
		t.Fatal("LOCKSTEP_BASE_URL is not set: start lockstep mock, see lockstep env")
	}
	sent := new(bytes.Buffer)
	if body != nil {
		must(t, json.NewEncoder(sent).Encode(body))
	}
	request, err := http.NewRequest(method, base+"/__admin/"+path, sent)
	must(t, err)
	request.Header.Set("Lockstep-Admin-Token", os.Getenv("LOCKSTEP_ADMIN_TOKEN"))
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	if answer.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, path, text)
	}
	if result != nil {
		must(t, json.Unmarshal(text, result))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// NewWorld makes a world, which is dropped as the test ends.
func NewWorld(t testing.TB, request JSON) *World {
	world := made(t, "worlds", request)
	t.Cleanup(func() { world.Call("DELETE", "", nil, nil) })
	return world
}

func made(t testing.TB, path string, request JSON) *World {
	world := &World{t: t}
	Admin(t, "POST", path, request, world)
	return world
}

// Call calls the control API of the world, such as Call("POST", "/faults", order, nil).
func (world *World) Call(method, path string, body, result any) {
	world.t.Helper()
	Admin(world.t, method, "worlds/"+world.ID+path, body, result)
}

// Findings runs a test, which must pass by itself, in forks that each differ in one way. It returns the client's flaws.
func Findings(world *World, test func(*World) error, limit time.Duration, kinds ...string) (found []string) {
	plain := made(world.t, "worlds/"+world.ID+"/fork", JSON{})
	defer plain.Call("DELETE", "", nil, nil)
	must(world.t, test(plain))
	var planned struct{ Variations []struct{ ID string } }
	world.Call("GET", "/variations?"+url.Values{"plain": {plain.ID}, "kind": kinds}.Encode(), nil, &planned)
	finding := func(id string) string {
		varied := made(world.t, "worlds/"+world.ID+"/variations", JSON{"plain": plain.ID, "id": id})
		defer varied.Call("DELETE", "", nil, nil)
		var judged struct{ Finding string }
		varied.Call("POST", "/outcome", endOf(varied, test, limit), &judged)
		return judged.Finding
	}
	for _, one := range planned.Variations {
		// A red run is played again: one that is red once only is flaky.
		if line := finding(one.ID); line != "" && finding(one.ID) != "" {
			found = append(found, line)
		}
	}
	return found
}

func endOf(world *World, test func(*World) error, limit time.Duration) JSON {
	ended := make(chan string, 3)
	time.AfterFunc(limit, func() { ended <- "hung" })
	go func() {
		if test(world) != nil {
			ended <- "failed"
		}
		ended <- "passed"
	}()
	return JSON{"end": <-ended}
}
