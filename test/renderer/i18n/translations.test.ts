import { describe, expect, it } from 'vitest';
import { languageOfTags, languages, pluralForms } from '../../../server/contract/languages.ts';
import { formats } from '../../../renderer/format/formats.ts';
import { formatDistance, formatNumber, formatSpeed } from '../../../renderer/format/numbers.ts';
import { createSpeak } from '../../../renderer/i18n/speak.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { englishFiles, faultsOf, translatedFiles } from './checkTranslation.ts';

const translated = languages.filter((it) => it !== 'en');
const english = await englishFiles();

describe('translations', () => {
  it.each(translated)(
    'the texts in %s have all keys, plural forms and placeholders of the English ones',
    async (language) => {
      const { wrong, missing } = faultsOf(language, english, await translatedFiles(language));
      expect(wrong).toEqual([]);
      expect(missing).toEqual([]);
    },
  );

  it('causes in Chinese have a space between a placeholder and a character beside it', async () => {
    const causes = (await translatedFiles('zh')).get('renderer/i18n/LANGUAGE/causes.ts') ?? {};
    for (const text of Object.values(causes))
      expect(text).not.toMatch(/\}\}\p{Script=Han}|\p{Script=Han}\{\{/u);
  });

  it('the check of a translation names unknown keys, wrong placeholders, missing plural forms and empty texts', () => {
    const source = new Map([
      ['x.ts', { plain: 'Name', cars_one: '{{count}} car', cars_other: '{{count}} cars', of: 'of {{name}}' }],
    ]);
    const own = new Map([
      ['x.ts', { plain: ' ', cars_one: 'одна', cars_few: '{{count}} машины', of: '{{nome}}', more: 'x' }],
      ['y.ts', {}],
    ]);
    expect(faultsOf('ru', source, own)).toEqual({
      missing: ['x.ts: cars_many: {{count}} cars', 'x.ts: cars_other: {{count}} cars'],
      wrong: [
        'y.ts: English has no such file',
        'x.ts: plain: empty',
        'x.ts: cars_one: has {{}}, English {{count}}',
        'x.ts: of: has {{nome}}, English {{name}}',
        'x.ts: more: English has no such text',
      ],
    });
  });

  it('the plural forms of each language are those of Intl.PluralRules, but for the millions of Spanish and Portuguese', () => {
    for (const language of languages) {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      expect([...pluralForms[language]].sort()).toEqual(
        pluralCategories.filter((it) => it !== 'many' || language === 'ru').sort(),
      );
    }
  });
});

describe('the language of the page', () => {
  it('a language is that of the first tag that there are texts for, else English', () => {
    expect(languageOfTags(['lv-LV', 'pt-BR', 'ru'])).toBe('pt');
    // As systems of Linux call theirs.
    expect(languageOfTags(['C', 'pt_BR.UTF-8'])).toBe('pt');
    expect(languageOfTags(['lv'])).toBe('en');
  });

  it('a chosen language and units hold at once, and English stands in for what is not translated', async () => {
    const texts = createI18n();
    const page = { lang: '' };
    const t = createTranslate(texts);
    texts.addResourceBundle('ru', 'translation', {
      'queue.alarms_one': '{{count}} тревога',
      'queue.alarms_few': '{{count}} тревоги',
      'queue.alarms_many': '{{count}} тревог',
      'queue.alarms_other': '{{count}} тревоги',
      'unit.mph': 'миль/ч',
    });
    const speak = createSpeak(texts, () => 'en', page);
    await speak({ language: 'ru', distance_unit: 'mi' });
    expect([1, 3, 5, 21].map((count) => t('queue.alarms', { count }))).toEqual([
      ...['1 тревога', '3 тревоги', '5 тревог', '21 тревога'],
    ]);
    expect(page.lang).toBe('ru');
    expect(t('ui.cancel')).toBe('Cancel');
    expect(formatSpeed(100)).toBe('62 миль/ч');
    expect(formatNumber(1234567.5, 1)).toBe('1\u2009234\u2009567,5');
    await speak({});
    expect(page.lang).toBe('en');
    expect([formatSpeed(100), formatDistance(1_200), formats.getState().hourCycle]).toEqual([
      ...['100 km/h', '1.2 km', 'h23'],
    ]);
  });
});
