"""Calls six operations with the client that openapi-python-client makes."""

import os

from client import AuthenticatedClient
from client.api.data_model import set_staging_environment
from client.api.deployments import list_deployments
from client.api.environments import create_meta_sync_token, list_environments
from client.api.folders import update_folder
from client.api.notifications import add_notification_recipients
from client.models import (
    AddNotificationRecipientsInput,
    CreateMetaSyncTokenInput,
    EnvironmentType,
    RecipientInput,
    SecurityContext,
    SetStagingEnvironmentInput,
    UpdateFolderInput,
)

service = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["TOKEN"])

deployments = list_deployments.sync(client=service, limit=2)
assert [item.name for item in deployments.data.deployments] == ["Sales", "Marketing"]
assert deployments.data.deployments[0].created_at.year > 2000
sales = deployments.data.deployments[0].id

environments = list_environments.sync(sales, client=service, type_=EnvironmentType.PRODUCTION)
production = environments.data.environments[0]
assert production.api_credentials.sql.port > 0

context = SecurityContext.from_dict({"tenant_id": 42})
asked = CreateMetaSyncTokenInput(security_context=context, expires_in=3600)
token = create_meta_sync_token.sync(sales, production.id, client=service, body=asked)
assert token.data.token.count(".") == 2

switch = SetStagingEnvironmentInput(enabled=True, branch_id=102)
branch = set_staging_environment.sync(sales, client=service, body=switch)
assert branch.data.is_staging_environment_enabled

folder = update_folder.sync(1, 11, client=service, body=UpdateFolderInput(name="Finance 2026"))
assert (folder.id, folder.name) == (11, "Finance 2026")
refused = update_folder.sync_detailed(1, 21, client=service, body=UpdateFolderInput(name="Other"))
assert refused.status_code == 404 and refused.parsed.error

people = AddNotificationRecipientsInput(recipients=[RecipientInput(user_id=2)])
added = add_notification_recipients.sync(1, 31, client=service, body=people)
assert [item.user_id for item in added.created_recipients] == [2]

print("Python: six operations called with the generated client")
