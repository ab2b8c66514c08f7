import { expect, test } from 'vitest';
import { operation } from '../../spec/contract.ts';
import { Answer } from '../language/answer.ts';
import { namesIn } from './field-names.ts';

const bodyOf = (text: string, nameOf: ReturnType<typeof namesIn>): unknown => {
  const wire = { status: 200, headers: {}, text, durationMs: 1, sentAt: 0, throttled: 0 };
  return new Answer(wire, { method: 'GET', target: '/', body: undefined }, [], nameOf).body;
};

test('the case of the letters in the name of a SCIM attribute does not count', () => {
  const text =
    '{"TOTALRESULTS":1,"resources":[{"USERNAME":"ana","Name":{"givenname":"Ana"}}],"X":1}';
  expect(bodyOf(text, namesIn(operation('listScimUsers'), new Map()))).toEqual({
    totalResults: 1,
    Resources: [{ userName: 'ana', name: { givenName: 'Ana' } }],
    X: 1,
  });
  const id = namesIn(operation('listDeployments'), new Map());
  expect(bodyOf('{"DATA":1}', id)).toEqual({ DATA: 1 });
});

test('a field that the tenant file names otherwise is called as in the contract', () => {
  const nameOf = namesIn(undefined, new Map([['itemCount', 'unitCount']]));
  expect(bodyOf('\ufeff{"itemCount":3}', nameOf)).toEqual({ unitCount: 3 });
});
