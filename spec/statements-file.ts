/** `statements.yaml`: what stands in it, and which statuses its choices answer. */
import type { JsonObject } from './base/json.ts';
import { YamlSource } from './base/yaml-source.ts';
import type { Choice, ContractData, Statement } from './contract-data.ts';
import type { Choice as WrittenChoice, WrittenStatement } from './statement.generated.ts';

export class StatementsFile {
  readonly source: YamlSource;
  readonly root: Pick<ContractData, 'names' | 'areas' | 'strict'>;
  readonly statements: readonly WrittenStatement[];
  /** Ids of statements that are gone. */
  readonly retired: readonly string[];

  constructor(text: string) {
    this.source = new YamlSource('spec/statements.yaml', text);
    const { statements, retired, ...root } = this.source.value as JsonObject;
    this.root = root as typeof this.root;
    this.retired = (Array.isArray(retired) ? retired : []) as string[];
    this.statements = (Array.isArray(statements) ? statements : []) as WrittenStatement[];
  }

  line(statement: WrittenStatement, key = 'id'): number {
    return this.source.at(statement, key).line;
  }

  /** For each silence about a status, the status of each choice. */
  statuses(): ContractData['statuses'] {
    const statuses: Record<string, Record<string, number>> = {};
    for (const { id, assumption, alternatives = [] } of this.statements) {
      const choices = assumption === undefined ? [] : [assumption, ...alternatives];
      if (choices.every(({ status }) => status === undefined)) continue;
      statuses[id] = Object.fromEntries(choices.map((choice) => [choice.id, choice.status ?? 0]));
    }
    return statuses;
  }
}

/** A statement as the tool uses it. */
export function compiledStatement(
  written: WrittenStatement,
  operations: readonly string[],
): Statement {
  const { assumption, alternatives } = written;
  return {
    ...written,
    ...(assumption && { assumption: withoutStatus(assumption) }),
    ...(alternatives && { alternatives: alternatives.map(withoutStatus) }),
    operations,
  };
}

function withoutStatus({ status: _status, ...choice }: WrittenChoice): Choice {
  return choice;
}
