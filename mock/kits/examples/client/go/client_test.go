// lockstep client -- go test -count=1 ./...
package client

import (
	"reflect"
	"regexp"
	"testing"
)

func expect(t *testing.T, err error, actual, expected any) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(actual, expected) {
		t.Fatalf("expected %v, got %v", expected, actual)
	}
}

func TestATokenIsCreated(t *testing.T) {
	token, err := CreateToken("201")
	expect(t, err, regexp.MustCompile(`^\w+\.\w+\.`).MatchString(token), true)
}

func TestAFolderIsRenamed(t *testing.T) {
	name, err := RenameFolder(13, "Q1")
	expect(t, err, name, "Q1")
}

func TestAllUsersAreListed(t *testing.T) {
	names, err := Users()
	expect(t, err, len(names), 42)
}

func TestTheCurrentVersionIsTold(t *testing.T) {
	version, err := CurrentVersion()
	expect(t, err, version, "1.6.1")
}

func TestAPersonalBranchGetsNoStagingEnvironment(t *testing.T) {
	answer, err := EnableStaging("dev-ana")
	expect(t, err, answer, "refused")
}

func TestARecipientIsAdded(t *testing.T) {
	added, err := AddRecipient(31, 2)
	if has("assertion") {
		added = []string{"ben@example.com"}
	}
	expect(t, err, added, []string{"ben@example.com"})
}

func TestABranchWithoutAStagingEnvironmentHasNone(t *testing.T) {
	found, err := HasStaging("feature-orders")
	expect(t, err, found, false)
}
