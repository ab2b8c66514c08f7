/** The exports of `lockstep/types`: the contract as types, for clients such as openapi-fetch. */
export type { components, operations, paths } from '../../spec/openapi.types.ts';
