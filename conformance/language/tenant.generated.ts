// Generated from conformance/tenant.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** an identifier: a whole number, or a text that is not empty */
        readonly identifier: string | number;
        /** a text that is not empty */
        readonly text: string;
        /** an ISO 8601 date, such as 2026-01-31 */
        readonly date: string;
        /** { env: NAME, ... } */
        readonly credential: {
            /**
             * the name of an environment variable, never the secret
             * @description name of an environment variable, never the secret
             */
            readonly env?: string;
            /** @description path of a file that holds only the secret, relative to this file; read again after a 401 */
            readonly file?: components["schemas"]["text"];
            /** @description a program and its arguments, run in the folder of this file; it prints the secret, and runs again after a 401. Needs --allow-command */
            readonly command?: readonly components["schemas"]["text"][];
            /**
             * @description the role of the user of this credential
             * @enum {unknown}
             */
            readonly role?: "admin" | "member";
            /** @description whether this user may export the audit log; left out: a refusal is not judged */
            readonly auditLogManage?: boolean;
            /** @description ids of the folders that this user may edit */
            readonly edits?: readonly components["schemas"]["identifier"][];
            /** @description ids of the deployments that a scoped key gives access to */
            readonly deployments?: readonly components["schemas"]["identifier"][];
        };
        readonly bound: {
            /** @description as the lists of the service show it */
            readonly id: components["schemas"]["identifier"];
            /** @description the number in paths that need an integer, if it differs from id */
            readonly numericId?: number;
        };
        readonly branch: {
            /** @description as the branches list shows it, for requests by identifier */
            readonly id?: components["schemas"]["identifier"];
            /** @description as the branches list shows it */
            readonly name: components["schemas"]["text"];
            readonly numericId?: number;
        };
        readonly versions: {
            /** @description versions that the deployment may be switched to; a switch restarts it and stays in the history of the account */
            readonly mayRun: readonly components["schemas"]["text"][];
        };
        readonly audit: {
            /** @description a type of event that occurred between start and end */
            readonly eventName?: components["schemas"]["text"];
            /**
             * a mail address, such as ana@example.com
             * @description mail address of a user with events between start and end
             */
            readonly userEmail?: string;
            /** @description a text that some of these events hold */
            readonly search?: components["schemas"]["text"];
            /** @description ISO 8601 date: the log has events from then on */
            readonly start?: components["schemas"]["date"];
            /** @description ISO 8601 date: the log has events until then */
            readonly end?: components["schemas"]["date"];
        };
        readonly recipients: {
            /**
             * an address with {} before the @, such as qa+{}@example.com
             * @description mail address for made-up recipients, such as qa+{}@example.com; the run replaces {} with a name of its own; default: an address at example.com, which takes no mail
             */
            readonly mailTo?: string;
            /** @description console users who agreed to get mail */
            readonly users?: readonly (({
                readonly userId?: number;
                readonly email?: components["schemas"]["text"];
            } & {
                readonly [key: string]: unknown;
            }) | unknown | unknown)[];
            /** @description embed users who may get mail */
            readonly embedUsers?: readonly ({
                readonly embedTenantName: components["schemas"]["text"];
                readonly externalId: components["schemas"]["text"];
                readonly email?: components["schemas"]["text"];
            } & {
                readonly [key: string]: unknown;
            })[];
        };
        /**
         * a tenant file
         * @description Describes a real tenant to the runner. It holds no secrets.
         */
        readonly TenantText: {
            /** @description the name of this tenant for people; the certificate shows it */
            readonly name?: components["schemas"]["text"];
            /**
             * Format: uri
             * @description the address of the tenant; --base-url overrides it
             */
            readonly baseUrl?: string;
            /**
             * a path, such as /api/v1/spec
             * @description path of the tenant's own OpenAPI document; lockstep drift reads it
             */
            readonly description?: string;
            /** @description true: writes also need --allow-production */
            readonly production?: boolean;
            /** @description how the run checks the certificate of the tenant */
            readonly tls?: {
                /** @description path of a CA certificate (PEM), in the folder of this file */
                readonly ca?: components["schemas"]["text"];
                /** @description path of the client's certificate (PEM), in the folder of this file; needs key */
                readonly cert?: components["schemas"]["text"];
                /** @description path of the key of cert (PEM), in the folder of this file; needs cert */
                readonly key?: components["schemas"]["text"];
            } | null;
            /** @description the credentials that the run may use */
            readonly credentials?: {
                /** @description API key of an administrator, for all deployments; it puts back what a run changes */
                readonly admin?: components["schemas"]["credential"];
                /** @description API key of a user without the admin role */
                readonly member?: components["schemas"]["credential"];
                /** @description API key of an administrator for some deployments only */
                readonly scoped?: components["schemas"]["credential"];
                /** @description OAuth access token of an administrator */
                readonly oauth?: components["schemas"]["credential"];
                /** @description OAuth access token of a user without the admin role */
                readonly memberOauth?: components["schemas"]["credential"];
                /** @description embed JWT of a user without the admin role */
                readonly embed?: components["schemas"]["credential"];
                /** @description embed JWT of an administrator */
                readonly adminEmbed?: components["schemas"]["credential"];
                /** @description API key that has expired */
                readonly expired?: components["schemas"]["credential"];
                /** @description OAuth access token that has expired */
                readonly expiredOauth?: components["schemas"]["credential"];
                /** @description SCIM token that has expired */
                readonly expiredScim?: components["schemas"]["credential"];
                /** @description SCIM token */
                readonly scim?: components["schemas"]["credential"];
            } | null;
            /** @description features of the plan */
            readonly features?: {
                /**
                 * true, false (not looked at) or absent (the plan lacks it)
                 * @description true: the plan has it. false: the run does not check it. absent: the plan lacks it, and a served export is a violation. If it is left out, a refusal is not judged
                 * @enum {unknown}
                 */
                readonly auditLog?: true | false | "absent";
            } | null;
            /** @description field names that differ: the name in the description -> the name at the tenant */
            readonly aliases?: {
                readonly [key: string]: components["schemas"]["text"];
            } | null;
            /** @description the objects that the run may touch; if one is missing, the checks that need it are not-testable */
            readonly bindings?: {
                /** @description the deployment that the run works in */
                readonly deployment?: components["schemas"]["bound"];
                /** @description a second deployment of the account, with the same keys */
                readonly otherDeployment?: components["schemas"]["bound"];
                /** @description an environment of deployment; the run creates metadata tokens for it */
                readonly environment?: components["schemas"]["bound"];
                /** @description an environment of otherDeployment */
                readonly foreignEnvironment?: components["schemas"]["bound"];
                /** @description a shared branch whose staging environment may be switched */
                readonly sharedBranch?: components["schemas"]["branch"];
                /** @description the production branch; the service must refuse to switch it */
                readonly productionBranch?: components["schemas"]["branch"];
                /** @description a personal branch; the service must refuse to switch it */
                readonly personalBranch?: components["schemas"]["branch"];
                /** @description a folder that may be renamed and moved within its parent */
                readonly folder?: components["schemas"]["bound"];
                /** @description a folder that the credential member may not edit */
                readonly lockedFolder?: components["schemas"]["bound"];
                /** @description a folder of otherDeployment */
                readonly foreignFolder?: components["schemas"]["bound"];
                /** @description a folder inside another */
                readonly nestedFolder?: components["schemas"]["bound"];
                /** @description a notification of deployment; the run may add recipients to it */
                readonly notification?: components["schemas"]["bound"];
                /** @description a notification of otherDeployment */
                readonly foreignNotification?: components["schemas"]["bound"];
                /** @description a dbt sync that is completed */
                readonly dbtSync?: components["schemas"]["bound"];
                /** @description a dbt sync that is still running */
                readonly runningDbtSync?: components["schemas"]["bound"];
                /** @description a dbt sync that has failed */
                readonly failedDbtSync?: components["schemas"]["bound"];
                /** @description versions that deployment may be switched to */
                readonly versions?: components["schemas"]["versions"];
                /** @description events that the audit log has; the run filters for them */
                readonly audit?: components["schemas"]["audit"];
                /** @description people who agreed to get the mails of notification */
                readonly recipients?: components["schemas"]["recipients"];
            } | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type identifier = components['schemas']['identifier'];
export type text = components['schemas']['text'];
export type date = components['schemas']['date'];
export type credential = components['schemas']['credential'];
export type bound = components['schemas']['bound'];
export type branch = components['schemas']['branch'];
export type versions = components['schemas']['versions'];
export type audit = components['schemas']['audit'];
export type recipients = components['schemas']['recipients'];
export type TenantText = components['schemas']['TenantText'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
