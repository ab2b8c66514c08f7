// Calls six operations with the client that oapi-codegen makes.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"example/client"
)

func main() {
	ctx := context.Background()
	service := must(client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
			return nil
		})))

	limit := 2
	deployments := must(service.ListDeploymentsWithResponse(ctx, &client.ListDeploymentsParams{Limit: &limit})).JSON200.Data.Deployments
	check(len(deployments) == 2 && deployments[0].Name == "Sales", "the first deployments")
	check(deployments[0].CreatedAt.Year() > 2000, "when a deployment was created")
	sales := deployments[0].Id

	kind := client.Production
	environments := must(service.ListEnvironmentsWithResponse(ctx, sales, &client.ListEnvironmentsParams{Type: &kind}))
	production := environments.JSON200.Data.Environments[0]
	check(production.ApiCredentials.Sql.Port > 0, "the port of the SQL interface")

	token := must(service.CreateMetaSyncTokenWithResponse(ctx, sales, production.Id, client.CreateMetaSyncTokenInput{
		SecurityContext: client.SecurityContext{"tenant_id": 42},
	}))
	check(strings.Count(token.JSON200.Data.Token, ".") == 2, "a token")

	var branch client.BranchId
	check(branch.FromBranchId0(102) == nil, "the identifier of a branch")
	switched := must(service.SetStagingEnvironmentWithResponse(ctx, sales, client.SetStagingEnvironmentInput{Enabled: true, BranchId: &branch}))
	check(switched.JSON200.Data.IsStagingEnvironmentEnabled, "a staging environment that is enabled")

	name := "Finance 2026"
	folder := must(service.UpdateFolderWithResponse(ctx, 1, 11, client.UpdateFolderInput{Name: &name})).JSON200
	check(*folder.Id == 11 && *folder.Name == name, "a folder with its new name")
	refused := must(service.UpdateFolderWithResponse(ctx, 1, 21, client.UpdateFolderInput{Name: &name}))
	check(refused.JSON404 != nil && refused.JSON404.Error != "", "an error for a folder that is not there")

	user := 2
	added := must(service.AddNotificationRecipientsWithResponse(ctx, 1, 31, client.AddNotificationRecipientsInput{
		Recipients: []client.RecipientInput{{UserId: &user}},
	})).JSON200
	check(len(added.CreatedRecipients) == 1 && *added.CreatedRecipients[0].UserId == user, "a new recipient")

	fmt.Println("Go: six operations called with the generated client")
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(holds bool, what string) {
	if !holds {
		panic("expected " + what)
	}
}
