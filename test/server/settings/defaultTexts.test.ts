import { describe, expect, it } from 'vitest';
import { languages } from '../../../server/contract/languages.ts';
import { settingsFields } from '../../../server/contract/settings.ts';
import { translatedDefaults } from '../../../server/settings/defaultTexts.ts';

const initial = settingsFields.parse({});
const { incident_close_reasons, incident_checklists } = initial;
const textsOf = (fields: ReturnType<typeof translatedDefaults>) => [
  ...(fields.incident_close_reasons ?? []),
  ...(fields.incident_checklists ?? []).flatMap((it) => it.items),
];

describe('the texts that a depot begins with', () => {
  it.each(languages)(
    'the texts that a depot begins with are all there in %s, as settings take them',
    (language) => {
      const fields = translatedDefaults(initial, language);
      expect(settingsFields.parse(fields)).toMatchObject(fields);
      const english = textsOf(initial);
      const same = textsOf(fields).filter((text, at) => text === english[at]);
      // A test is a test in German, too.
      expect(same).toEqual(language === 'en' ? english : language === 'de' ? ['Test'] : []);
      expect(fields.incident_checklists?.map((it) => it.event_kind)).toEqual(
        incident_checklists.map((it) => it.event_kind),
      );
    },
  );

  it('the texts that a depot begins with are left alone where somebody has written others', () => {
    const own = [{ event_kind: 'sos' as const, items: ['Call the driver'] }];
    const fields = translatedDefaults({ incident_close_reasons, incident_checklists: own }, 'ru');
    expect(Object.keys(fields)).toEqual(['incident_close_reasons']);
    expect(
      translatedDefaults({ incident_close_reasons: ['Resolved'], incident_checklists: own }, 'ru'),
    ).toEqual({});
  });
});
