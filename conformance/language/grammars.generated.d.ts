export const scenario: unknown;
export const standing: unknown;
export const authorisation: unknown;
