// Generated from openapi.yaml and statements.yaml by `npm run generate`. Do not edit.
export interface paths {
    "/api/v1/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deployments that the credential may reach
         * @description Answers with one page of the deployments that are accessible to the authenticated principal.
         */
        get: operations["listDeployments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deployment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch a deployment to another version
         * @description Changes the version of the deployment, among other effects. Send `releaseChannelVersion` for one
         *     version of the versions list, or `releaseChannel` alone for the latest version of a channel. The
         *     service resolves the container image itself; it cannot be set. Other fields of the body, and the
         *     answer, are not described.
         */
        put: operations["updateDeployment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deployment_id}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the environments of a deployment
         * @description Answers with one page of the environments of the deployment. The staging environment of a branch has
         *     the type `staging` only while it is enabled for that branch.
         */
        get: operations["listEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deployment_id}/environments/{environment_id}/tokens-for-meta-sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a token for the metadata API of an environment
         * @description Creates a JWT for the metadata API of the environment, and for nothing else: it cannot query data
         *     through the data REST API. The security context is put into the token. It controls which parts of
         *     the data model can be seen, by the same multi-tenancy rules as with regular API tokens.
         */
        post: operations["createMetaSyncToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deployment_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions that a deployment can be switched to
         * @description Lists the versions that the deployment can be switched to: the head of each update channel, and the
         *     older versions that the account has run before.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deploymentId}/dbt-sync/{syncJobId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the result of a completed dbt sync
         * @description Answers with the files and figures of a completed dbt sync. The answer for a sync that is not completed
         *     is not described.
         */
        get: operations["getDbtSyncResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deploymentId}/folders/{folderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update a folder's name or position
         * @description Changes the name or the position of a folder. Only fields that are sent are changed. The parent of
         *     the folder stays: a folder is moved with `POST /workspace/move` and `type: FOLDER`, an operation
         *     whose path prefix and body are not described. Needs edit access to the folder.
         */
        put: operations["updateFolder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployments/{deploymentId}/notifications/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe recipients to a notification
         * @description Subscribes recipients to a notification: console users, and embed users, who are created if they
         *     do not exist. Every recipient must resolve to a valid email; if one does not, the whole request
         *     fails and nothing is written. The same request again changes nothing.
         *
         *     Administrators only: with every credential (an API key, an embed JWT or any other bearer
         *     token), the user must have the admin role.
         */
        post: operations["addNotificationRecipients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit-log events as CSV
         * @description Streams audit-log events as a CSV file. All parameters are optional. Needs the audit-log feature on an
         *     enterprise-level plan, and the `AuditLogManage` permission of the user. The events and the
         *     columns are not described.
         */
        get: operations["exportAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/build/api/v1/deployments/{deployment_id}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the branches of a deployment's data model
         * @description Lists the branches of the data model. It is the source of the `branchId` that the switch of a staging
         *     environment takes. The shape of the answer is not described.
         */
        get: operations["listBranches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/build/api/v1/deployments/{deployment_id}/branches/staging-environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch the always-active staging environment of a branch on or off
         * @description Enables or disables the always-active staging environment of a branch. Name the branch by
         *     `branchName` or by `branchId`. While enabled, the environment stays active whatever users do, and it
         *     is listed with the type `staging`. While disabled, which is the default, it is active only while the
         *     branch is viewed in the UI.
         *
         *     Only shared branches can be enabled: personal development branches and the production branch are
         *     refused.
         */
        put: operations["setStagingEnvironment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scim/v2/Users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users for provisioning
         * @description Lists users for an identity provider. Neither the answer nor its errors are described: this contract
         *     has those of RFC 7644, by which `startIndex` counts from 1.
         */
        get: operations["listScimUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: date-time
         * @description ISO 8601 with milliseconds and Z.
         * @example 2026-01-05T09:30:00.000Z
         */
        Timestamp: string;
        /**
         * @description ISO 8601, in any precision and zone.
         * @example 2026-01-05T09:30:00.000Z
         */
        AnyTimestamp: string;
        /** @description The error body of the management API. It has only this property. */
        ErrorBody: {
            /**
             * @description The error, for people.
             * @example Deployment 1 has no folder 21
             */
            error: string;
        };
        /** @description The error body of the build API is not described. */
        BuildErrorBody: unknown;
        /** @description Which part of a list the page is. */
        Pagination: {
            /**
             * @description How many items of the list come before the page.
             * @example 0
             */
            offset: number;
            /**
             * @description How many items the page may hold at most.
             * @example 20
             */
            limit: number;
            /**
             * @description How many items the list has on all pages.
             * @example 45
             */
            total: number;
        };
        /** @description One page of the deployments. */
        DeploymentsPage: {
            data: components["schemas"]["DeploymentsData"];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The items of the page. */
        DeploymentsData: {
            /** @description Deployments that the authenticated principal may reach. */
            deployments: components["schemas"]["Deployment"][];
        };
        /** @description A deployment, as the list has it. Further fields are not described. */
        Deployment: {
            /**
             * @description Identifier of the deployment.
             * @example 1
             */
            id: string;
            /**
             * @description Name of the deployment.
             * @example Sales
             */
            name: string;
            /** @description When the deployment was created. ISO 8601 with milliseconds and Z. */
            created_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description The purpose of an environment.
         * @enum {string}
         */
        EnvironmentType: "production" | "staging" | "development";
        /** @description One page of the environments of a deployment. */
        EnvironmentsPage: {
            data: components["schemas"]["EnvironmentsData"];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The items of the page. */
        EnvironmentsData: {
            /** @description Environments of the deployment. */
            environments: components["schemas"]["Environment"][];
        };
        /** @description An environment of a deployment. Further fields are not described. */
        Environment: {
            /**
             * @description Identifier of the environment.
             * @example 201
             */
            id: string;
            /**
             * @description Name of the environment.
             * @example production
             */
            name: string;
            /**
             * @description The purpose of the environment. The staging environment of a branch has the type
             *     `staging` only while it is enabled.
             */
            type: components["schemas"]["EnvironmentType"];
            api_credentials: components["schemas"]["ApiCredentials"];
        };
        /** @description The interfaces to the data of the environment. */
        ApiCredentials: {
            rest: components["schemas"]["RestCredentials"];
            sql: components["schemas"]["SqlCredentials"];
        };
        /** @description The data REST API of the environment. */
        RestCredentials: {
            /**
             * Format: uri
             * @description Address of the data REST API.
             * @example https://sales.data.example.com/v1
             */
            url: string;
        };
        /** @description The SQL interface of the environment. */
        SqlCredentials: {
            /**
             * @description Host of the SQL interface.
             * @example sales.sql.example.com
             */
            host: string;
            /**
             * @description Port of the SQL interface.
             * @example 15432
             */
            port: number;
        };
        /**
         * @description An object. Its fields are not described.
         * @example {
         *       "tenant_id": 42
         *     }
         */
        SecurityContext: {
            [key: string]: unknown;
        };
        /** @description The rights of the token, and its lifetime. */
        CreateMetaSyncTokenInput: {
            /** @description It is put into the token and controls which parts of the data model can be seen. */
            security_context: components["schemas"]["SecurityContext"];
            /**
             * @description Lifetime of the token in seconds; 24 hours if it is left out. A maximum is not described.
             * @default 86400
             * @example 3600
             */
            expires_in: number;
        };
        /** @description The token that was created. */
        MetaSyncTokenResult: {
            data: components["schemas"]["MetaSyncToken"];
        };
        /** @description A token for the metadata of an environment. */
        MetaSyncToken: {
            /** @description A JWT. */
            token: string;
            /** @description When the token was created. ISO 8601. */
            created_at: components["schemas"]["AnyTimestamp"];
            /** @description When the token expires. ISO 8601. */
            expires_at: components["schemas"]["AnyTimestamp"];
        };
        /** @description The branch, by name or by identifier, and the new state of its staging environment. */
        SetStagingEnvironmentInput: {
            /**
             * @description Whether the staging environment of the branch is always active.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Name of the branch. Either this or `branchId` is required.
             * @example feature-orders
             */
            branchName?: string;
            /**
             * @description Identifier of the branch, as the branches list has it. Either this or `branchName` is
             *     required.
             */
            branchId?: components["schemas"]["BranchId"];
        };
        /**
         * @description Identifier of a branch, as the branches list returns it.
         * @example 102
         */
        BranchId: number | string;
        /** @description The branch after the switch. */
        BranchResult: {
            data: components["schemas"]["Branch"];
        };
        /** @description A branch of the data model. Further fields are not described. */
        Branch: {
            /**
             * @description Identifier of the branch.
             * @example 102
             */
            id: number;
            /**
             * @description Name of the branch.
             * @example feature-orders
             */
            name: string;
            /**
             * @description The parent branch.
             * @example main
             */
            parentBranch?: string | null;
            /**
             * @description Hash of the last revision.
             * @example 4f2c9a1
             */
            lastHash: string;
            /**
             * @description Whether the staging environment of the branch is always active. False unless it was enabled.
             * @example true
             */
            isStagingEnvironmentEnabled: boolean;
        };
        /** @description The versions that the deployment can be switched to. */
        VersionsResult: {
            /** @description The head of each update channel, and older versions that the account has run. */
            data: components["schemas"]["Version"][];
        };
        /** @description A version of the deployment software. */
        Version: {
            /**
             * @description The image repository, a colon, a `v` and the version.
             * @example registry.example.com/runtime:v1.6.3
             */
            releaseChannelVersion: string;
            /**
             * @description Three numbers with dots between them.
             * @example 1.6.3
             */
            version: string;
            /**
             * @description Name of the update channel, such as `latest`. Other names are not described.
             * @example latest
             */
            releaseChannel: string;
            /**
             * @description Whether this version is the head of its channel.
             * @example true
             */
            isLatestInChannel: boolean;
            /**
             * @description Whether the deployment runs this version.
             * @example false
             */
            isCurrent: boolean;
        };
        /** @description The version to switch to, or the channel. Further fields are not described. */
        UpdateDeploymentInput: {
            /**
             * @description A version of the versions list, in one of three spellings: `1.6.3`, `v1.6.3`, or the whole
             *     `releaseChannelVersion` of the list. Any other version is refused with 400.
             * @example 1.6.3
             * @example v1.6.3
             * @example registry.example.com/runtime:v1.6.3
             */
            releaseChannelVersion?: string;
            /**
             * @description An update channel. Sent alone, it moves the deployment to the latest version of it.
             * @example latest
             */
            releaseChannel?: string;
        };
        /** @description The result of a completed dbt sync. */
        DbtSyncResultResponse: {
            /**
             * @description Identifier of the sync job.
             * @example sync-completed
             */
            syncJobId: string;
            /** @description Files of the data model that the sync generated and committed to the branch that it created. */
            generatedFiles: components["schemas"]["DbtSyncGeneratedFile"][];
            manifestStats: components["schemas"]["DbtSyncManifestStats"];
            /**
             * @description How many units of the data model were generated from the dbt manifest. The real name of the
             *     field holds the name of the product; `unit` replaces it.
             * @example 2
             */
            unitCount: number;
            /** @description When the sync ended. ISO 8601. */
            completedAt: components["schemas"]["AnyTimestamp"];
            /**
             * @description How many milliseconds the sync took from end to end.
             * @example 48210
             */
            durationMs: number;
        };
        /** @description A file that a dbt sync generated. */
        DbtSyncGeneratedFile: {
            /**
             * @description Path of the file inside the data-model project.
             * @example model/orders.yml
             */
            path: string;
        };
        /** @description The contents of the dbt manifest. */
        DbtSyncManifestStats: {
            /**
             * @description How many models.
             * @example 12
             */
            models: number;
            /**
             * @description How many sources.
             * @example 4
             */
            sources: number;
            /**
             * @description How many macros.
             * @example 7
             */
            macros: number;
        };
        /** @description The changes. A field that is not sent stays as it is. */
        UpdateFolderInput: {
            /**
             * @description The new name.
             * @example Finance 2026
             */
            name?: string;
            /**
             * @description The new position among the siblings.
             * @example 3
             */
            position?: number;
        };
        /** @description A folder. Which of its fields may be absent or null is not described. */
        Folder: {
            /**
             * @description Identifier of the folder.
             * @example 13
             */
            id?: number | null;
            /**
             * @description The deployment that the folder belongs to.
             * @example 1
             */
            deploymentId?: number | null;
            /**
             * @description Name of the folder.
             * @example Quarterly
             */
            name?: string | null;
            /**
             * @description Position among the siblings.
             * @example 0
             */
            position?: number | null;
            type?: components["schemas"]["FolderType"];
            /**
             * @description When the folder was created. The format is not described.
             * @example 2026-01-05T09:30:00.000Z
             */
            createdAt?: string | null;
            /**
             * @description When the folder was last changed. The format is not described.
             * @example 2026-01-06T10:00:00.000Z
             */
            updatedAt?: string | null;
            /**
             * @description The user who created the folder.
             * @example 1
             */
            createdBy?: number | null;
            /**
             * @description The user who last changed the folder.
             * @example 2
             */
            updatedBy?: number | null;
            /**
             * @description The parent folder.
             * @example 11
             */
            parentId?: number | null;
            /** @description The chain of ancestors. */
            folderPath?: components["schemas"]["FolderPathItem"][] | null;
        };
        /**
         * @description The kind of the item.
         * @enum {string|null}
         */
        FolderType: "FOLDER" | "WORKBOOK" | "REPORT" | null;
        /** @description An ancestor of a folder. */
        FolderPathItem: {
            /**
             * @description Identifier of the folder.
             * @example 11
             */
            id: number;
            /**
             * @description Name of the folder.
             * @example Finance
             */
            name: string;
        };
        /** @description The new recipients of the notification. */
        AddNotificationRecipientsInput: {
            /** @description From 1 to 1000 recipients. */
            recipients: components["schemas"]["RecipientInput"][];
        };
        /**
         * @description One recipient: a console user (`userId` or `email`), an embed user (`embedTenantName` and
         *     `externalId`; created if there is none), or a chat recipient (`channelId`, `channelName`),
         *     which is not supported and refused with 400. It must resolve to a valid email.
         */
        RecipientInput: {
            /**
             * @description Identifies a console user.
             * @example 2
             */
            userId?: number;
            /**
             * @description Identifies a console user, or is the email of the embed user.
             * @example ana@example.com
             */
            email?: string;
            /**
             * @description With `externalId`, identifies an embed user.
             * @example partner-a
             */
            embedTenantName?: string;
            /**
             * @description Identifier of the embed user. If it has the form of an email, it serves as one.
             * @example pat@example.com
             */
            externalId?: string;
            /** @description It drives the rendering for this recipient. For embed users only. */
            securityContext?: components["schemas"]["SecurityContext"];
            /** @description Attributes of the user. For embed users only. */
            userAttributes?: components["schemas"]["UserAttribute"][];
            /**
             * @description Groups of the user. For embed users only.
             * @example [
             *       "analysts"
             *     ]
             */
            groups?: string[];
            /**
             * @description A chat channel. Not supported.
             * @example C0123
             */
            channelId?: string;
            /**
             * @description Name of a chat channel. Not supported.
             * @example finance
             */
            channelName?: string;
        };
        /** @description An attribute of an embed user. */
        UserAttribute: {
            /**
             * @description Name of the attribute.
             * @example region
             */
            name: string;
            /**
             * @description Value of the attribute.
             * @example EMEA
             */
            value: string;
        };
        /** @description The outcome for each recipient. */
        AddNotificationRecipientsResult: {
            /** @description Recipients that are newly subscribed. */
            createdRecipients: components["schemas"]["Recipient"][];
            /**
             * @description Recipients that were subscribed already, and whose properties have changed: security context,
             *     attributes, groups, or the name of the chat channel.
             */
            updatedRecipients: components["schemas"]["Recipient"][];
            /** @description Recipients that were subscribed already and are left as they were. */
            unchangedRecipients: components["schemas"]["Recipient"][];
        };
        /** @description A subscribed recipient. Which of its fields may be absent or null is not described. */
        Recipient: {
            /**
             * @description Kind of the recipient, such as `USER`. The other values are not described.
             * @example USER
             */
            type?: string | null;
            /** @description A chat channel. */
            channelId?: string | null;
            /** @description Name of the chat channel. */
            channelName?: string | null;
            /**
             * @description Email of the recipient.
             * @example ben@example.com
             */
            email?: string | null;
            /**
             * @description The embed tenant of an embed user.
             * @example partner-a
             */
            embedTenantName?: string | null;
            /** @description Identifier of an embed user. */
            embedUserId?: number | null;
            /**
             * @description External identifier of an embed user.
             * @example pat@example.com
             */
            externalId?: string | null;
            /**
             * @description Identifier of a user.
             * @example 2
             */
            userId?: number | null;
            /**
             * @description Name of the user.
             * @example Ben Ito
             */
            username?: string | null;
        };
        /** @description A list of RFC 7644. */
        ScimListResponse: {
            /** @description The kind of the answer, as a URN of RFC 7644. */
            schemas: string[];
            /**
             * @description How many users there are on all pages.
             * @example 42
             */
            totalResults: number;
            /**
             * @description Position of the first user of the page, counted from 1.
             * @example 1
             */
            startIndex?: number;
            /**
             * @description How many users the page holds.
             * @example 10
             */
            itemsPerPage?: number;
            /** @description The users of the page. */
            Resources?: components["schemas"]["ScimUser"][];
        };
        /** @description A user of RFC 7643. Which further attributes it has is not described. */
        ScimUser: {
            /** @description The kind of the user, as a URN of RFC 7643. */
            schemas: string[];
            /**
             * @description Identifier of the user.
             * @example 1
             */
            id: string;
            /**
             * @description Name that the user signs in with.
             * @example ana@example.com
             */
            userName: string;
            /** @description Name to show. */
            displayName?: string;
            /** @description Whether the user is active. */
            active?: boolean;
            name?: components["schemas"]["ScimName"];
            /** @description Addresses of the user. */
            emails?: components["schemas"]["ScimEmail"][];
            meta?: components["schemas"]["ScimMeta"];
        };
        /** @description The parts of a user's name. */
        ScimName: {
            /**
             * @description First name.
             * @example Ana
             */
            givenName?: string;
            /**
             * @description Last name.
             * @example Silva
             */
            familyName?: string;
            /**
             * @description The whole name.
             * @example Ana Silva
             */
            formatted?: string;
        };
        /** @description An address of a user. */
        ScimEmail: {
            /**
             * @description The address.
             * @example ana@example.com
             */
            value?: string;
            /**
             * @description Whether it is the main address.
             * @example true
             */
            primary?: boolean;
            /**
             * @description The purpose of the address.
             * @example work
             */
            type?: string;
        };
        /** @description Facts about the record itself. */
        ScimMeta: {
            /**
             * @description Type of the record.
             * @example User
             */
            resourceType?: string;
            /** @description When it was created. */
            created?: string;
            /** @description When it was last changed. */
            lastModified?: string;
        };
        /** @description An error of RFC 7644. */
        ScimErrorBody: {
            /** @description The kind of the answer, as a URN of RFC 7644. */
            schemas: string[];
            /**
             * @description The status of the answer, as a text.
             * @example 401
             */
            status: string;
            /** @description The kind of a refused request. */
            scimType?: unknown;
            /** @description The error in words. */
            detail?: unknown;
        };
    };
    responses: {
        /** @description The credential is missing, malformed or expired. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A valid credential that is not authorised for the target. */
        OutOfScope: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The service failed to answer. */
        ManagementFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The credential is missing, malformed or expired. The body is not described. */
        BuildUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildErrorBody"];
            };
        };
        /** @description A valid credential that is not authorised for the target. The body is not described. */
        BuildOutOfScope: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildErrorBody"];
            };
        };
        /** @description Refused. Neither the status nor the body is described. */
        BuildError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildErrorBody"];
            };
        };
        /** @description The service failed to answer. The body is not described. */
        BuildFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildErrorBody"];
            };
        };
        /** @description The credential is missing, malformed or expired. */
        ScimUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimErrorBody"];
            };
        };
        /** @description A valid credential that is not authorised for the target. */
        ScimForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimErrorBody"];
            };
        };
        /** @description Refused, with an error of RFC 7644. */
        ScimError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimErrorBody"];
            };
        };
        /** @description The service failed to answer. */
        ScimFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimErrorBody"];
            };
        };
    };
    parameters: {
        /**
         * @description How many items of the list come before the page.
         * @example 0
         */
        Offset: number;
        /**
         * @description How many items the page may hold at most. A maximum of this number is not described.
         * @example 20
         */
        Limit: number;
        /**
         * @description Identifier of the deployment, the `id` of the deployments list.
         * @example 1
         */
        DeploymentId: string;
        /**
         * @description Numeric identifier of the deployment that the object in the path belongs to. How it relates to the
         *     `id` of the deployments list, a string, is not described.
         * @example 1
         */
        DeploymentNumber: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The authentication scheme that the service expects (RFC 9110 section 11.6.1).
         * @example Bearer realm="management"
         */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listDeployments: {
        parameters: {
            query?: {
                /**
                 * @description How many items of the list come before the page.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description How many items the page may hold at most. A maximum of this number is not described.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the deployments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentsPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description A valid credential that is not authorised for the target. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    updateDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, the `id` of the deployments list.
                 * @example 1
                 */
                deployment_id: components["parameters"]["DeploymentId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDeploymentInput"];
            };
        };
        responses: {
            /** @description The version is not on the versions list. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OutOfScope"];
            /** @description Updated. Neither the status nor the body is described. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                /**
                 * @description Only environments of this type.
                 * @example staging
                 */
                type?: components["schemas"]["EnvironmentType"];
                /**
                 * @description How many items of the list come before the page.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description How many items the page may hold at most. A maximum of this number is not described.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, the `id` of the deployments list.
                 * @example 1
                 */
                deployment_id: components["parameters"]["DeploymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the environments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentsPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OutOfScope"];
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    createMetaSyncToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, the `id` of the deployments list.
                 * @example 1
                 */
                deployment_id: components["parameters"]["DeploymentId"];
                /**
                 * @description Identifier of the environment, as the environments list has it.
                 * @example 201
                 */
                environment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMetaSyncTokenInput"];
            };
        };
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetaSyncTokenResult"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OutOfScope"];
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    listVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, the `id` of the deployments list.
                 * @example 1
                 */
                deployment_id: components["parameters"]["DeploymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The head of each update channel and the older versions that the account has run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionsResult"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OutOfScope"];
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    getDbtSyncResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Numeric identifier of the deployment that the object in the path belongs to. How it relates to the
                 *     `id` of the deployments list, a string, is not described.
                 * @example 1
                 */
                deploymentId: components["parameters"]["DeploymentNumber"];
                /**
                 * @description Identifier of the sync job.
                 * @example sync-completed
                 */
                syncJobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the sync. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DbtSyncResultResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OutOfScope"];
            /** @description There is no completed sync of that identifier. The status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    updateFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Numeric identifier of the deployment that the object in the path belongs to. How it relates to the
                 *     `id` of the deployments list, a string, is not described.
                 * @example 1
                 */
                deploymentId: components["parameters"]["DeploymentNumber"];
                /**
                 * @description Identifier of the folder, a folder of the deployment in the path.
                 * @example 11
                 */
                folderId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateFolderInput"];
            };
        };
        responses: {
            /** @description The folder after the update. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Folder"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description A valid credential that is not authorised for the target. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The folder does not exist or belongs to a different deployment. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    addNotificationRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Numeric identifier of the deployment that the object in the path belongs to. How it relates to the
                 *     `id` of the deployments list, a string, is not described.
                 * @example 1
                 */
                deploymentId: components["parameters"]["DeploymentNumber"];
                /**
                 * @description Numeric identifier of the notification.
                 * @example 31
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddNotificationRecipientsInput"];
            };
        };
        responses: {
            /** @description The outcome for each recipient of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddNotificationRecipientsResult"];
                };
            };
            /** @description A chat recipient, or a recipient that resolves to no valid email. Nothing is written. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description A valid credential that is not authorised for the target. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    exportAuditLogs: {
        parameters: {
            query?: {
                /**
                 * @description The start of the export, an ISO 8601 date.
                 * @example 2026-01-01
                 */
                start?: string;
                /**
                 * @description The end of the export, an ISO 8601 date.
                 * @example 2026-01-31
                 */
                end?: string;
                /**
                 * @description Only events that a full-text search across their data finds.
                 * @example finance
                 */
                search?: string;
                /**
                 * @description Only events of this type. There is a type for logins. Its name, and the other types,
                 *     are not described.
                 * @example Login
                 */
                eventName?: string;
                /**
                 * @description Only events of the user with this email.
                 * @example ana@example.com
                 */
                userEmail?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A CSV file (RFC 4180), streamed as an attachment. */
            200: {
                headers: {
                    /**
                     * @description It says that the file is an attachment.
                     * @example attachment
                     */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description A valid credential that is not authorised for the target. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Refused, for a reason whose status is not described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            "5XX": components["responses"]["ManagementFailure"];
        };
    };
    listBranches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, the `id` of the deployments list.
                 * @example 1
                 */
                deployment_id: components["parameters"]["DeploymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The branches, in a shape that is not described. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    } | unknown[];
                };
            };
            401: components["responses"]["BuildUnauthorized"];
            403: components["responses"]["BuildOutOfScope"];
            "4XX": components["responses"]["BuildError"];
            "5XX": components["responses"]["BuildFailure"];
        };
    };
    setStagingEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, the `id` of the deployments list.
                 * @example 1
                 */
                deployment_id: components["parameters"]["DeploymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetStagingEnvironmentInput"];
            };
        };
        responses: {
            /** @description The branch after the switch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BranchResult"];
                };
            };
            401: components["responses"]["BuildUnauthorized"];
            403: components["responses"]["BuildOutOfScope"];
            /** @description Refused. Neither the status nor the body is described. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildErrorBody"];
                };
            };
            "5XX": components["responses"]["BuildFailure"];
        };
    };
    listScimUsers: {
        parameters: {
            query?: {
                /**
                 * @description How many users the page may hold at most.
                 * @example 10
                 */
                count?: number;
                /**
                 * @description Position of the first user of the page. The first user of the list has position 1.
                 * @example 1
                 */
                startIndex?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ListResponse (RFC 7644). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimListResponse"];
                };
            };
            401: components["responses"]["ScimUnauthorized"];
            403: components["responses"]["ScimForbidden"];
            "4XX": components["responses"]["ScimError"];
            "5XX": components["responses"]["ScimFailure"];
        };
    };
}
