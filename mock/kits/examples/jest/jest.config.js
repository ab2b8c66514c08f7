// Lockstep consists of ES modules. Jest loads them only if Node is started with
// NODE_OPTIONS=--experimental-vm-modules and no transform translates them.
export default { testEnvironment: 'node', transform: {} };
