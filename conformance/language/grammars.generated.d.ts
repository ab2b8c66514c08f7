export const scenario: { readonly of: string };
export const standing: { readonly of: string };
export const authorisation: { readonly of: string };
