import { expect, it } from 'vitest';

type Candidates = (platform: string, environment: Record<string, string>, home: string) => string[];

const script = new URL('../../.ci/chromium.mjs', import.meta.url).href;
const { systemCandidates } = (await import(script)) as { systemCandidates: Candidates };

it('a browser is looked for on Windows in the folders of programs that the machine has', () => {
  const environment = { PROGRAMFILES: 'C:\\Program Files', LOCALAPPDATA: 'C:\\Users\\op\\AppData\\Local' };
  const found = systemCandidates('win32', environment, 'C:\\Users\\op');
  expect(found).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
  expect(found).toContain('C:\\Users\\op\\AppData\\Local\\Chromium\\Application\\chrome.exe');
  expect(found).toHaveLength(6);
});

it('a browser is looked for on macOS among the applications of the machine and of the user', () => {
  const found = systemCandidates('darwin', {}, '/Users/op');
  expect(found).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  expect(found).toContain('/Users/op/Applications/Chromium.app/Contents/MacOS/Chromium');
});

it('a browser is looked for on Linux on the path, but for its relative parts, and where systems put it', () => {
  const found = systemCandidates('linux', { PATH: '/opt/bin:node_modules/.bin:/usr/bin' }, '/home/op');
  expect(found).toContain('/opt/bin/chromium');
  expect(found).toContain('/snap/bin/chromium');
  expect(found.every((path) => path.startsWith('/'))).toBe(true);
  expect(found.filter((path) => path === '/usr/bin/chromium')).toHaveLength(1);
});
