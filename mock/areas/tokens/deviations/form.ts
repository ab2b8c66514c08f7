/** Tokens that are no JWT. */
import type { Deviation } from '../../../deviations/deviation.ts';
import { type Handle, isRecord, mapData } from '../../../deviations/transforms.ts';
import { deviation } from './minting.ts';

/** Changes the token as it is written. */
function writes(change: (parts: readonly string[]) => string): Handle {
  return async (next, scene) => {
    const done = await next();
    return mapData((data) =>
      isRecord(data) ? { ...data, token: change(String(data.token).split('.')) } : data,
    )(() => done, scene);
  };
}

function padded(part: string): string {
  return part.padEnd(Math.ceil(part.length / 4) * 4, '=');
}

export const form: readonly Deviation[] = [
  deviation('two-parts', 'The token lacks its signature.', ['META-2'], {
    handle: writes((parts) => parts.slice(0, 2).join('.')),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('opaque', 'The token is no JWT but a name for one.', ['META-2'], {
    handle: writes((parts) => `mst_${(parts[2] ?? '').slice(0, 40)}`),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('claims-alone', 'The token is its claims, encoded, alone.', ['META-2'], {
    handle: writes((parts) => parts[1] ?? ''),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('padded', 'The parts of the token are padded with =.', ['META-2'], {
    handle: writes((parts) => parts.map(padded).join('.')),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('bearer-before-it', 'The token has the word Bearer before it.', ['META-2'], {
    handle: writes((parts) => `Bearer ${parts.join('.')}`),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
  deviation('claims-not-json', 'The claims of the token are no JSON.', ['META-2'], {
    handle: writes(([head = '', , signature = '']) =>
      [head, Buffer.from('claims').toString('base64url'), signature].join('.'),
    ),
    collateral: ['META-4', 'META-5', 'META-7', 'META-14'],
  }),
];
