import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';

type PassSignals = (from: EventEmitter, to: { kill: (signal: string) => void }, platform: string) => void;

const script = new URL('../../.ci/shell.mjs', import.meta.url).href;
const { passSignals } = (await import(script)) as { passSignals: PassSignals };

it.each([
  ['linux', ['SIGINT', 'SIGTERM']],
  ['darwin', ['SIGINT', 'SIGTERM']],
  // There `kill` knows no signal but the end at once, and the console has given Ctrl C to both already.
  ['win32', []],
])('a signal to npm is passed on to the program on %s as the system needs it', (platform, passed) => {
  const npm = new EventEmitter();
  const killed: string[] = [];
  passSignals(npm, { kill: (signal) => void killed.push(signal) }, platform);
  expect(npm.emit('SIGINT')).toBe(true);
  expect(npm.emit('SIGTERM')).toBe(true);
  expect(killed).toEqual(passed);
});
