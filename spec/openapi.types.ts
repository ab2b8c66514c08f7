// Generated from openapi.yaml and statements.yaml by `npm run generate`. Do not edit.
export interface paths {
    "/api/v1/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deployments that the credential may reach */
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
         * @description The description shows only the fields that change the version, and no answer.
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
        /** List the environments of a deployment */
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
        /** Create a token for the metadata API of an environment */
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
        /** List the versions that a deployment can be switched to */
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
        /** Read the result of a completed dbt sync */
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
         * @description The parent is never changed by this operation.
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
         * @description All or nothing, and idempotent. Administrators only, whatever the kind of credential.
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
        /** Export audit-log events as CSV */
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
         * @description The shape of the answer is not shown in the description.
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
        /** Switch the always-active staging environment of a branch on or off */
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
        /** List users for provisioning */
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
        /** @description ISO 8601 with milliseconds and Z. */
        Timestamp: string;
        /** @description ISO 8601, in whichever precision and zone. */
        AnyTimestamp: string;
        Error: {
            /** @description What is wrong. */
            error: string;
        };
        /** @description The error body of the build API is not shown. */
        BuildError: unknown;
        Pagination: {
            offset: number;
            limit: number;
            total: number;
        };
        DeploymentsPage: {
            data: {
                deployments: components["schemas"]["Deployment"][];
            };
            pagination: components["schemas"]["Pagination"];
        };
        Deployment: {
            id: string;
            name: string;
            created_at: components["schemas"]["Timestamp"];
        };
        /** @enum {string} */
        EnvironmentType: "production" | "staging" | "development";
        EnvironmentsPage: {
            data: {
                environments: components["schemas"]["Environment"][];
            };
            pagination: components["schemas"]["Pagination"];
        };
        Environment: {
            id: string;
            name: string;
            type: components["schemas"]["EnvironmentType"];
            api_credentials: {
                rest: {
                    /** Format: uri */
                    url: string;
                };
                sql: {
                    host: string;
                    port: number;
                };
            };
        };
        CreateMetaSyncTokenInput: {
            /** @description What the token may see of the data model. */
            security_context: Record<string, never>;
            /**
             * @description Lifetime in seconds. Its maximum is not shown.
             * @default 86400
             */
            expires_in: number;
        };
        MetaSyncTokenResult: {
            data: {
                token: string;
                created_at: components["schemas"]["AnyTimestamp"];
                expires_at: components["schemas"]["AnyTimestamp"];
            };
        };
        SetStagingEnvironmentInput: {
            enabled: boolean;
            branchName?: string;
            /** @description As the branches list gives it. */
            branchId?: number | string;
        } & (unknown | unknown);
        BranchResult: {
            data: components["schemas"]["Branch"];
        };
        Branch: {
            id: number;
            name: string;
            parentBranch?: string | null;
            lastHash: string;
            isStagingEnvironmentEnabled: boolean;
        };
        VersionsResult: {
            data: components["schemas"]["Version"][];
        };
        Version: {
            releaseChannelVersion: string;
            version: string;
            releaseChannel: string;
            isLatestInChannel: boolean;
            isCurrent: boolean;
        };
        UpdateDeploymentInput: {
            /** @description A version of the versions list, in one of three spellings. */
            releaseChannelVersion?: string;
            /** @description Alone, the channel to whose latest version the deployment moves. */
            releaseChannel?: string;
        };
        DbtSyncResultResponse: {
            syncJobId: string;
            generatedFiles: components["schemas"]["DbtSyncGeneratedFile"][];
            manifestStats: components["schemas"]["DbtSyncManifestStats"];
            /** @description Stands for a field whose real name held the product's name. */
            unitCount: number;
            completedAt: components["schemas"]["AnyTimestamp"];
            durationMs: number;
        };
        DbtSyncGeneratedFile: {
            path: string;
        };
        DbtSyncManifestStats: {
            models: number;
            sources: number;
            macros: number;
        };
        UpdateFolderInput: {
            name?: string;
            position?: number;
        };
        /** @description Which of the fields may be absent or null is not shown. */
        Folder: {
            id?: number | null;
            deploymentId?: number | null;
            name?: string | null;
            position?: number | null;
            /** @enum {string|null} */
            type?: "FOLDER" | "WORKBOOK" | "REPORT" | null;
            createdAt?: string | null;
            updatedAt?: string | null;
            createdBy?: number | null;
            updatedBy?: number | null;
            parentId?: number | null;
            folderPath?: {
                id: number;
                name: string;
            }[] | null;
        };
        AddNotificationRecipientsInput: {
            recipients: components["schemas"]["RecipientInput"][];
        };
        /**
         * @description A console user (userId or email), an embed user (embedTenantName and externalId), or a
         *     chat recipient (channelId, channelName), which is refused.
         */
        RecipientInput: {
            userId?: number;
            email?: string;
            embedTenantName?: string;
            externalId?: string;
            securityContext?: Record<string, never>;
            userAttributes?: {
                name: string;
                value: string;
            }[];
            groups?: string[];
            channelId?: string;
            channelName?: string;
        };
        AddNotificationRecipientsResult: {
            createdRecipients: components["schemas"]["Recipient"][];
            updatedRecipients: components["schemas"]["Recipient"][];
            unchangedRecipients: components["schemas"]["Recipient"][];
        };
        /** @description Which of the fields may be absent or null, and all the values of type, are not shown. */
        Recipient: {
            type?: string | null;
            channelId?: string | null;
            channelName?: string | null;
            email?: string | null;
            embedTenantName?: string | null;
            embedUserId?: number | null;
            externalId?: string | null;
            userId?: number | null;
            username?: string | null;
        };
        ScimListResponse: {
            schemas: string[];
            totalResults: number;
            startIndex?: number;
            itemsPerPage?: number;
            Resources?: components["schemas"]["ScimUser"][];
        };
        ScimUser: {
            schemas: string[];
            id: string;
            userName: string;
            displayName?: string;
            active?: boolean;
            name?: {
                givenName?: string;
                familyName?: string;
                formatted?: string;
            };
            emails?: {
                value?: string;
                primary?: boolean;
                type?: string;
            }[];
            meta?: {
                resourceType?: string;
                created?: string;
                lastModified?: string;
            };
        };
        ScimError: {
            schemas: string[];
            status: string;
            scimType?: unknown;
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A valid credential that is not authorised for the target. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Refused for a reason whose status the description leaves open. */
        ManagementError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is missing, malformed or expired. */
        BuildUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildError"];
            };
        };
        /** @description A valid credential that is not authorised for the target. */
        BuildForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildError"];
            };
        };
        /** @description Refused for a reason whose status the description leaves open. */
        BuildError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BuildError"];
            };
        };
        /** @description The credential is missing, malformed or expired. */
        ScimUnauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
        /** @description Refused. */
        ScimError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/scim+json": components["schemas"]["ScimError"];
            };
        };
    };
    parameters: {
        /**
         * @description How many items to skip.
         * @example 0
         */
        Offset: number;
        /**
         * @description The most items that the page may hold. Its maximum is not shown.
         * @example 20
         */
        Limit: number;
        /**
         * @description Identifier of the deployment, as the deployments list gives it.
         * @example 1
         */
        deployment_id: string;
        /**
         * @description Numeric identifier of the deployment.
         * @example 1
         */
        deploymentId: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The scheme that the service expects (RFC 9110 section 11.6.1).
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
                 * @description How many items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description The most items that the page may hold. Its maximum is not shown.
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
            403: components["responses"]["Forbidden"];
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    updateDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, as the deployments list gives it.
                 * @example 1
                 */
                deployment_id: components["parameters"]["deployment_id"];
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
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Updated. Neither the status nor the body is shown in the description. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Refused for a reason whose status the description leaves open. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            "5XX": components["responses"]["ManagementError"];
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                /**
                 * @description Keeps the environments of one type.
                 * @example staging
                 */
                type?: components["schemas"]["EnvironmentType"];
                /**
                 * @description How many items to skip.
                 * @example 0
                 */
                offset?: components["parameters"]["Offset"];
                /**
                 * @description The most items that the page may hold. Its maximum is not shown.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, as the deployments list gives it.
                 * @example 1
                 */
                deployment_id: components["parameters"]["deployment_id"];
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
            403: components["responses"]["Forbidden"];
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    createMetaSyncToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, as the deployments list gives it.
                 * @example 1
                 */
                deployment_id: components["parameters"]["deployment_id"];
                /**
                 * @description Identifier of the environment, as the environments list gives it.
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
            403: components["responses"]["Forbidden"];
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    listVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, as the deployments list gives it.
                 * @example 1
                 */
                deployment_id: components["parameters"]["deployment_id"];
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
            403: components["responses"]["Forbidden"];
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    getDbtSyncResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Numeric identifier of the deployment.
                 * @example 1
                 */
                deploymentId: components["parameters"]["deploymentId"];
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
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DbtSyncResultResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description There is no completed sync of that name. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            "5XX": components["responses"]["ManagementError"];
        };
    };
    updateFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Numeric identifier of the deployment.
                 * @example 1
                 */
                deploymentId: components["parameters"]["deploymentId"];
                /**
                 * @description Identifier of the folder.
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
            403: components["responses"]["Forbidden"];
            /** @description The folder does not exist or belongs to a different deployment. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    addNotificationRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Numeric identifier of the deployment.
                 * @example 1
                 */
                deploymentId: components["parameters"]["deploymentId"];
                /**
                 * @description Identifier of the notification.
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
            /** @description What became of each recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddNotificationRecipientsResult"];
                };
            };
            /** @description A chat recipient, or one that resolves to no valid email. Nothing is written. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    exportAuditLogs: {
        parameters: {
            query?: {
                /**
                 * @description First day of the export (ISO 8601 date).
                 * @example 2026-01-01
                 */
                start?: string;
                /**
                 * @description Last day of the export (ISO 8601 date).
                 * @example 2026-01-31
                 */
                end?: string;
                /**
                 * @description Full-text search across the data of the events.
                 * @example finance
                 */
                search?: string;
                /**
                 * @description Type of the events.
                 * @example Login
                 */
                eventName?: string;
                /**
                 * @description Email of the user who did it.
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
                     * @description attachment, with a file name.
                     * @example attachment; filename="audit-log.csv"
                     */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            "4XX": components["responses"]["ManagementError"];
            "5XX": components["responses"]["ManagementError"];
        };
    };
    listBranches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, as the deployments list gives it.
                 * @example 1
                 */
                deployment_id: components["parameters"]["deployment_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The branches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            401: components["responses"]["BuildUnauthorized"];
            403: components["responses"]["BuildForbidden"];
            "4XX": components["responses"]["BuildError"];
        };
    };
    setStagingEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the deployment, as the deployments list gives it.
                 * @example 1
                 */
                deployment_id: components["parameters"]["deployment_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetStagingEnvironmentInput"];
            };
        };
        responses: {
            /** @description The branch. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BranchResult"];
                };
            };
            401: components["responses"]["BuildUnauthorized"];
            403: components["responses"]["BuildForbidden"];
            /** @description Refused. The status is unspecified and the body is not shown. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildError"];
                };
            };
        };
    };
    listScimUsers: {
        parameters: {
            query?: {
                /**
                 * @description The most users that a page may hold.
                 * @example 10
                 */
                count?: number;
                /**
                 * @description Position of the first user of the page, counted from 1.
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
            403: components["responses"]["ScimError"];
            "4XX": components["responses"]["ScimError"];
        };
    };
}
