/** The handlers of all areas. A new area adds a line here. */
export * from './audit/handler.ts';
export * from './dbt/handler.ts';
export * from './deployments/handler.ts';
export * from './environments/handler.ts';
export * from './folders/handler.ts';
export * from './recipients/handler.ts';
export * from './scim/handler.ts';
export * from './staging/handler.ts';
export * from './tokens/handler.ts';
export * from './versions/handler.ts';
