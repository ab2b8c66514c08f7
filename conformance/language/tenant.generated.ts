// Generated from conformance/tenant.schema.json by `npm run generate`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** { env: NAME, ... } */
        readonly credential: {
            /**
             * the name of an environment variable, never the secret
             * @description name of an environment variable, never the secret
             */
            readonly env: string;
            /** @enum {unknown} */
            readonly role?: "admin" | "member";
            readonly auditLogManage?: boolean;
            readonly edits?: readonly (string | number)[];
            readonly deployments?: readonly (string | number)[];
        };
        readonly bound: {
            readonly id: string | number;
            /** @description where the integer paths want another number than id */
            readonly numericId?: number;
        };
        readonly branch: {
            readonly id?: string | number;
            readonly name: string;
            readonly numericId?: number;
        };
        readonly versions: {
            /** @description versions that the deployment may be switched to; a switch restarts it and stays in the history of the account */
            readonly mayRun: readonly string[];
        };
        readonly audit: {
            readonly eventName?: string;
            readonly userEmail?: string;
            readonly search?: string;
            readonly start?: string;
            readonly end?: string;
        };
        readonly recipients: {
            /**
             * an address with {} before the @, such as qa+{}@example.com
             * @description where the mail of recipients that a run makes up goes, such as qa+{}@example.com: a name of the run takes the place of {}; default an address at example.com, which is reserved and takes no mail
             */
            readonly mailTo?: string;
            /** @description console users who agreed to get mail */
            readonly users?: readonly ({
                readonly userId?: number;
                readonly email?: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly embedUsers?: readonly ({
                readonly embedTenantName: string;
                readonly externalId: string;
                readonly email?: string;
            } & {
                readonly [key: string]: unknown;
            })[];
        };
        /**
         * a tenant file
         * @description What a certifier tells the runner about a real tenant. No secrets.
         */
        readonly TenantText: {
            /** @description what people call this tenant; it stands on the certificate */
            readonly name?: string;
            /** Format: uri */
            readonly baseUrl?: string;
            /** @description true: whatever writes needs --allow-production as well */
            readonly production?: boolean;
            readonly tls?: {
                /** @description path of a CA certificate (PEM), relative to this file */
                readonly ca?: string;
            } | null;
            readonly credentials?: {
                readonly admin?: components["schemas"]["credential"];
                readonly member?: components["schemas"]["credential"];
                readonly scoped?: components["schemas"]["credential"];
                readonly oauth?: components["schemas"]["credential"];
                readonly memberOauth?: components["schemas"]["credential"];
                readonly embed?: components["schemas"]["credential"];
                readonly adminEmbed?: components["schemas"]["credential"];
                readonly expired?: components["schemas"]["credential"];
                readonly expiredOauth?: components["schemas"]["credential"];
                readonly expiredScim?: components["schemas"]["credential"];
                readonly scim?: components["schemas"]["credential"];
            } | null;
            readonly features?: {
                /**
                 * true, false (not looked at) or absent (the plan lacks it)
                 * @description false: what needs it is not-applicable; absent: so it is, and serving it is a violation
                 * @enum {unknown}
                 */
                readonly auditLog?: true | false | "absent";
            } | null;
            /** @description the description's field name -> the tenant's */
            readonly aliases?: {
                readonly [key: string]: string;
            } | null;
            /** @description what the run may touch; what is missing makes checks not-testable, by name */
            readonly bindings?: {
                readonly deployment?: components["schemas"]["bound"];
                readonly otherDeployment?: components["schemas"]["bound"];
                readonly environment?: components["schemas"]["bound"];
                readonly foreignEnvironment?: components["schemas"]["bound"];
                readonly sharedBranch?: components["schemas"]["branch"];
                readonly productionBranch?: components["schemas"]["branch"];
                readonly personalBranch?: components["schemas"]["branch"];
                readonly folder?: components["schemas"]["bound"];
                readonly lockedFolder?: components["schemas"]["bound"];
                readonly foreignFolder?: components["schemas"]["bound"];
                /** @description a folder inside another */
                readonly nestedFolder?: components["schemas"]["bound"];
                readonly notification?: components["schemas"]["bound"];
                /** @description a notification of otherDeployment */
                readonly foreignNotification?: components["schemas"]["bound"];
                readonly dbtSync?: components["schemas"]["bound"];
                readonly runningDbtSync?: components["schemas"]["bound"];
                readonly failedDbtSync?: components["schemas"]["bound"];
                readonly versions?: components["schemas"]["versions"];
                readonly audit?: components["schemas"]["audit"];
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
export type credential = components['schemas']['credential'];
export type bound = components['schemas']['bound'];
export type branch = components['schemas']['branch'];
export type versions = components['schemas']['versions'];
export type audit = components['schemas']['audit'];
export type recipients = components['schemas']['recipients'];
export type TenantText = components['schemas']['TenantText'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
