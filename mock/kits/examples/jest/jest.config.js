// Lockstep is made of ES modules. Jest loads those where Node is started with
// NODE_OPTIONS=--experimental-vm-modules, and where nothing translates them.
export default { testEnvironment: 'node', transform: {} };
