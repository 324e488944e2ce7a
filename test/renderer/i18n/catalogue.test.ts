import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { en } from '../../../renderer/i18n/en.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { textsUsedIn } from '../../support/usedTexts.ts';

const root = fileURLToPath(new URL('../../../renderer', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.startsWith('i18n/'))
  .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  .join('\n');

const isUsed = textsUsedIn(sources);

describe('the message catalogue', () => {
  it('the message catalogue holds no unused message', () => {
    expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([]);
  });

  it('the message catalogue has both plural forms where it has one', () => {
    const keys = new Set(Object.keys(en));
    for (const key of keys) {
      if (/_one$/.test(key)) expect(keys).toContain(key.replace(/_one$/, '_other'));
      if (/_other$/.test(key)) expect(keys).toContain(key.replace(/_other$/, '_one'));
    }
  });

  it('the message catalogue speaks without exclamation marks, "oops", "please" and "successfully"', () => {
    for (const text of Object.values(en)) expect(text).not.toMatch(/!|oops|please|successfully/i);
  });

  it('the message catalogue chooses the plural form and fills in values as they are', () => {
    const t = createTranslate(createI18n());
    expect(t('queue.alarms', { count: 1 })).toBe('1 alarm');
    expect(t('queue.alarms', { count: 2 })).toBe('2 alarms');
    expect(t('panel.title', { name: '<b>&' })).toBe('Vehicle <b>&');
  });
});
