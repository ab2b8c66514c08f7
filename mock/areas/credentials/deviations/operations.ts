/** The operations, sorted by what a credential has to do with them. */
import { contract, type Operation, type OperationId } from '../../../../spec/contract.ts';

export const operations = [...contract.operations.values()];

export const idsWhere = (fits: (operation: Operation) => boolean): readonly OperationId[] =>
  operations.filter(fits).map(({ id }) => id);

export const isRead = ({ method }: Operation) => method === 'GET';
export const isWrite = (operation: Operation) => !isRead(operation);
export const inDeployment = ({ requires }: Operation) => requires.deployment !== undefined;

export const isOn =
  (surface: Operation['requires']['surface']) =>
  ({ requires }: Operation) =>
    requires.surface === surface;

export const all = idsWhere(() => true);
