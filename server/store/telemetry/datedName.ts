import { existsSync } from 'node:fs';

/** `base-20261121T074300Z`, or with a number behind it when that one is taken. */
export function datedName(base: string, now_ms: number): string {
  const stamp = new Date(now_ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `${base}-${stamp}`;
  let free = name;
  for (let count = 2; existsSync(free); count++) free = `${name}-${count}`;
  return free;
}
