/** A fault as the control API is asked for one. */

import type { Fault, FaultOrder } from '../world/fault.ts';
import { checkNames, FaultError, faultFields } from '../world/fault.ts';
import type { World } from '../world/world.ts';
import { type AdminCall, AdminError } from './route.ts';

export function orderFault(world: World, body: AdminCall['body']): Fault {
  try {
    // What is a function in-process is nothing here.
    checkNames(body, faultFields, 'A fault');
    return world.faults.add(body as FaultOrder);
  } catch (error) {
    throw error instanceof FaultError ? new AdminError(400, error.message) : error;
  }
}
