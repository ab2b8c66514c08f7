/** Which part of the service a statement or a scenario belongs to. */

export interface Area<T> {
  /** `STAGE` of `STAGE-5`; also an anchor in the certificate. */
  readonly id: string;
  readonly name: string;
  readonly statements: readonly T[];
}

/** The statements by area, both in the order in which they come; `names` are the contract's. */
export function areas<T extends { readonly id: string }>(
  statements: readonly T[],
  names: Readonly<Record<string, string>>,
): readonly Area<T>[] {
  const groups = Map.groupBy(statements, (statement) => areaOf(statement.id));
  return [...groups].map(([id, members]) => ({ id, name: names[id] ?? id, statements: members }));
}

function areaOf(id: string): string {
  const dash = id.lastIndexOf('-');
  return dash < 1 ? id : id.slice(0, dash);
}

/** `staging` of `conformance/scenarios/staging/toggle.yaml`. */
export function scenarioArea(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const scenarios = folders.lastIndexOf('scenarios');
  return (scenarios < 0 ? folders.at(-1) : folders[scenarios + 1]) ?? 'scenarios';
}
