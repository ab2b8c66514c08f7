/** Metadata tokens that open more than metadata. */
import type { OperationId } from '../../../../spec/contract.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { count } from '../../../deviations/transforms.ts';
import { type Asking, admits, anyCaller } from './asking.ts';
import { all, idsWhere, isOn, isRead, isWrite } from './operations.ts';

function opens(
  name: string,
  text: string,
  ids: readonly OperationId[],
  when: (asking: Asking) => boolean = () => true,
): Deviation {
  return {
    id: `credentials:metadata-token-${name}`,
    text,
    breaks: ['META-8'],
    operations: ids,
    authenticate: admits('META-16', (asking) => (when(asking) ? anyCaller(asking) : undefined)),
  };
}

export const metadataTokens: readonly Deviation[] = [
  opens(
    'opens-the-management-api',
    'A metadata token opens the management API.',
    idsWhere(isOn('management')),
  ),
  opens('opens-the-build-api', 'A metadata token opens the build API.', idsWhere(isOn('build'))),
  opens(
    'opens-the-scim-api',
    'A metadata token opens the provisioning API.',
    idsWhere(isOn('scim')),
  ),
  opens(
    'reads',
    'A metadata token opens what reads on the management and build API.',
    idsWhere((operation) => isRead(operation) && !isOn('scim')(operation)),
  ),
  opens('writes', 'A metadata token opens what writes.', idsWhere(isWrite)),
  opens(
    'opens-after-a-refusal',
    'A metadata token is refused once by an operation, and opens it from then on.',
    all,
    ({ memory, operation }) => count(memory, operation.id) > 1,
  ),
];
