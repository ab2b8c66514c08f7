import type { FaultOrder } from '../world/fault.ts';

/** The ways in which a request is lost. `slow-drip` does not lose it, and only delays the answer. */
export const lossPhases = {
  before: { phase: 'before', status: 503 },
  'after-commit': { phase: 'after-commit', status: 504 },
  'mid-body': { phase: 'mid-body' },
  reset: { phase: 'socket', kind: 'reset' },
  'half-close': { phase: 'socket', kind: 'half-close' },
  stall: { phase: 'socket', kind: 'stall' },
  'html-gateway': {
    status: 502,
    headers: { 'Content-Type': 'text/html' },
    body: '<html><head><title>502 Bad Gateway</title></head><body></body></html>',
  },
  'empty-body': { phase: 'after-commit', status: 200, body: '' },
  'not-json': { phase: 'after-commit', status: 200, body: 'upstream connect error' },
  'slow-drip': { dripMs: 1000 },
} as const satisfies Readonly<Record<string, FaultOrder>>;
