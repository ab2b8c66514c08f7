declare const validators: Record<string, unknown>;
export default validators;
