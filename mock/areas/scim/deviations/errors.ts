/** Errors that are not those of SCIM. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { type Hooks, isRecord, type Json, same } from '../../../deviations/transforms.ts';
import { deviation } from './page.ts';

/** Changes the body of a refusal. */
function answersErrors(change: (body: Json) => Json): Hooks {
  return {
    answer: (answer, { refusal: refused }) => {
      if (refused === null || !isRecord(answer.body)) return answer;
      const body = change(answer.body);
      return same(body, answer.body) ? answer : { ...answer, body };
    },
  };
}

export const errors: readonly Deviation[] = [
  deviation(
    'error-as-elsewhere',
    'An error is { error }, as in the other APIs.',
    ['SCIM-8'],
    answersErrors((body) => ({ error: String(body.detail ?? 'Error') })),
  ),
  deviation(
    'error-status-as-number',
    'The status in an error is a number.',
    ['SCIM-8'],
    answersErrors((body) => ({ ...body, status: Number(body.status) })),
  ),
  deviation(
    'error-status-of-another',
    'The status in an error is always 400.',
    ['SCIM-8'],
    answersErrors((body) => ({ ...body, status: '400' })),
  ),
  deviation(
    'error-named-as-list',
    'An error has the schema of a list.',
    ['SCIM-8'],
    answersErrors((body) => ({
      ...body,
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    })),
  ),
];
