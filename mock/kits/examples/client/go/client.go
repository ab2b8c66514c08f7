// Package client is a client of the service. CLIENT_FAULT switches on mistakes, by name, several with
// commas between them.
package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

func has(fault string) bool {
	return slices.Contains(strings.Split(os.Getenv("CLIENT_FAULT"), ","), fault)
}

type request struct {
	method, path, key string
	body              any
	contentType       string
	timeLimit         time.Duration
}

func admin(method, path string, body any) request {
	return request{method, path, os.Getenv("LOCKSTEP_ADMIN_KEY"), body, "application/json", 3 * time.Second}
}

type answer struct {
	status int
	text   []byte
}

// send gives an answer, whatever its status. Go's own transport sends a GET again if a connection that
// was kept alive is reset.
func send(sent request) (answer, error) {
	var body io.Reader
	if sent.body != nil {
		text, err := json.Marshal(sent.body)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(text)
	}
	made, err := http.NewRequest(sent.method, os.Getenv("LOCKSTEP_BASE_URL")+sent.path, body)
	if err != nil {
		return answer{}, err
	}
	made.Header.Set("Authorization", "Bearer "+sent.key)
	if sent.body != nil && sent.contentType != "" {
		made.Header.Set("Content-Type", sent.contentType)
	}
	// A limit of zero is none.
	client := http.Client{Timeout: sent.timeLimit}
	got, err := client.Do(made)
	if err != nil {
		return answer{}, err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	return answer{got.StatusCode, text}, err
}

// read decodes the JSON of an answer that is a success.
func read(sent request, result any) error {
	got, err := send(sent)
	if err != nil {
		return err
	}
	if got.status < 200 || got.status > 299 {
		return fmt.Errorf("answered %d", got.status)
	}
	return json.Unmarshal(got.text, result)
}

func CreateToken(environment string) (string, error) {
	path := "/api/v1/deployments/1/environments/" + environment + "/tokens-for-meta-sync"
	sent := admin("POST", path, map[string]any{"security_context": map[string]any{"tenant_id": 42}})
	var result struct{ Data struct{ Token string } }
	err := read(sent, &result)
	if err != nil && has("blind-repeat") {
		// Nothing says that this write may be repeated.
		err = read(sent, &result)
	}
	return result.Data.Token, err
}

func RenameFolder(folder int, name string) (string, error) {
	var result struct{ Name string }
	path := fmt.Sprintf("/api/v1/deployments/1/folders/%d", folder)
	err := read(admin("PUT", path, map[string]any{"name": name}), &result)
	if err != nil && has("swallowed-error") {
		return name, nil
	}
	return result.Name, err
}

func Users() ([]string, error) {
	names := []string{}
	for {
		var page struct {
			TotalResults int
			Resources    []struct{ UserName string }
		}
		sent := admin("GET", fmt.Sprintf("/api/scim/v2/Users?startIndex=%d", len(names)+1), nil)
		sent.key = os.Getenv("LOCKSTEP_SCIM_TOKEN")
		if err := read(sent, &page); err != nil {
			return nil, err
		}
		for _, user := range page.Resources {
			names = append(names, user.UserName)
		}
		if has("half-of-the-pages") || len(names) >= page.TotalResults {
			return names, nil
		}
		if len(page.Resources) == 0 {
			return nil, errors.New("a page is empty, and there is more to come")
		}
	}
}

func CurrentVersion() (string, error) {
	var result struct {
		Data []struct {
			Version   string
			IsCurrent bool
		}
	}
	sent := admin("GET", "/api/v1/deployments/1/versions", nil)
	if has("hang") {
		sent.timeLimit = 0
	}
	if err := read(sent, &result); err != nil {
		return "", err
	}
	for _, one := range result.Data {
		if one.IsCurrent {
			return one.Version, nil
		}
	}
	return "", errors.New("no version is current")
}

func EnableStaging(branch string) (string, error) {
	path := "/build/api/v1/deployments/1/branches/staging-environment"
	sent := admin("PUT", path, map[string]any{"branchName": branch, "enabled": true})
	got, err := send(sent)
	if err != nil {
		return "", err
	}
	// The description says that it is refused, and not with which status.
	isRefused := got.status >= 400 && got.status < 500
	if has("status") {
		isRefused = got.status == 400
	}
	if isRefused {
		return "refused", nil
	}
	if got.status < 200 || got.status > 299 || !json.Valid(got.text) {
		return "", fmt.Errorf("answered %d", got.status)
	}
	return "enabled", nil
}

func AddRecipient(notification, user int) ([]string, error) {
	path := fmt.Sprintf("/api/v1/deployments/1/notifications/%d/recipients", notification)
	sent := admin("POST", path, map[string]any{"recipients": []any{map[string]any{"userId": user}}})
	if has("header") {
		// It is left to the service to take the body for JSON.
		sent.contentType = ""
	}
	var result struct{ CreatedRecipients []struct{ Email string } }
	err := read(sent, &result)
	emails := []string{}
	for _, recipient := range result.CreatedRecipients {
		emails = append(emails, recipient.Email)
	}
	return emails, err
}

func HasStaging(branch string) (bool, error) {
	var page struct {
		Data struct{ Environments []struct{ Name string } }
	}
	sent := admin("GET", "/api/v1/deployments/1/environments?type=staging", nil)
	if has("parse") {
		// A gateway's 503 in JSON has no environments either.
		got, err := send(sent)
		if err != nil {
			return false, err
		}
		if err := json.Unmarshal(got.text, &page); err != nil {
			return false, err
		}
	} else if err := read(sent, &page); err != nil {
		return false, err
	}
	for _, one := range page.Data.Environments {
		if one.Name == "staging "+branch {
			return true, nil
		}
	}
	return false, nil
}
