import { expect, test } from 'vitest';
import { commandLine } from './command.ts';

test.for([
  [['npx', 'vitest', 'run'], 'npx vitest run'],
  [['C:\\Program Files\\nodejs\\node.exe', 'a.js'], '"C:\\Program Files\\nodejs\\node.exe" a.js'],
  [['mvn', '-q', '-Dtest=A#b', 'test'], 'mvn -q "-Dtest=A#b" test'],
  [['pytest', '-k', 'a and "b"', ''], 'pytest -k "a and ""b""" ""'],
  [['tests', 'C:\\my tests\\'], 'tests "C:\\my tests\\\\"'],
] as const)('%j is %s in the shell of Windows', ([argv, line]) => {
  expect(commandLine(argv)).toBe(line);
});
