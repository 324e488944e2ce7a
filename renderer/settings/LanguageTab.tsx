import { useState } from 'react';
import { useStore } from 'zustand';
import { timeZone } from '../../server/contract/fields.ts';
import type { Preferences } from '../../server/contract/preferences.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { FIRST_DAYS } from '../i18n/speak.ts';
import { useT } from '../i18n/useT.ts';
import { TimeZoneField } from '../setup/TimeZoneField.tsx';
import { LanguageChoice } from '../ui/LanguageChoice.tsx';
import { dayNames } from '../ui/scheduleLabels.ts';
import { Choice } from '../ui/Select.tsx';

/** How this user reads the console at every computer; each choice holds at once. */
export function LanguageTab() {
  const { userPreferences } = useAppContext();
  const t = useT();
  const preferences = useStore(userPreferences.store);
  const change = (part: Preferences) => userPreferences.change(part);
  return (
    <div className="settings-page">
      <div className="settings">
        <section className="settings__section">
          <h2>{t('language.title')}</h2>
          <p className="quiet">{t('language.about')}</p>
          <div className="form-grid">
            <LanguageChoice
              label={t('language.language')}
              value={preferences.language ?? null}
              onChange={(language) => change({ language: language ?? undefined })}
            />
            <Choice
              label={t('language.distance')}
              options={(['km', 'mi'] as const).map((id) => ({ id, label: t(`language.distance.${id}`) }))}
              value={preferences.distance_unit ?? 'km'}
              onChange={(distance_unit) => change({ distance_unit })}
            />
            <Choice
              label={t('language.volume')}
              options={(['l', 'gal'] as const).map((id) => ({ id, label: t(`language.volume.${id}`) }))}
              value={preferences.volume_unit ?? 'l'}
              onChange={(volume_unit) => change({ volume_unit })}
            />
            <Choice
              label={t('language.hours')}
              options={(['h23', 'h12'] as const).map((id) => ({ id, label: t(`language.hours.${id}`) }))}
              value={preferences.hour_cycle ?? 'h23'}
              onChange={(hour_cycle) => change({ hour_cycle })}
            />
            <Choice
              label={t('language.first_day')}
              options={firstDays()}
              value={preferences.first_day ?? 'monday'}
              onChange={(first_day) => change({ first_day })}
            />
            <ZoneChoice
              zone={preferences.time_zone ?? null}
              onChange={(time_zone) => change({ time_zone: time_zone ?? undefined })}
            />
          </div>
        </section>
      </div>
    </div>
  );
}

function ZoneChoice({ zone, onChange }: { zone: string | null; onChange: (zone: string | null) => void }) {
  const { settings } = useAppContext();
  const t = useT();
  const ofDepot = useStore(settings, ({ numbers }) => numbers.timezone);
  /** As it is typed: it holds from when it is a zone. */
  const [typed, setTyped] = useState(zone ?? '');
  const take = (text: string) => {
    setTyped(text);
    if (isZone(text)) onChange(text);
  };
  return (
    <>
      <Choice
        label={t('language.zone')}
        options={[
          { id: 'depot', label: t('language.zone.depot', { zone: ofDepot }) },
          { id: 'own', label: t('language.zone.own') },
        ]}
        value={zone === null ? 'depot' : 'own'}
        onChange={(chosen) => {
          if (chosen === 'depot') onChange(null);
          else take(new Intl.DateTimeFormat().resolvedOptions().timeZone);
        }}
      />
      {zone !== null && <TimeZoneField value={typed} onChange={take} fault={null} disabled={false} />}
    </>
  );
}

/** As the server takes it: browsers list each zone by one of its names alone, Asia/Katmandu and not Asia/Kathmandu. */
const isZone = (name: string): boolean =>
  name === 'UTC' || (name.includes('/') && timeZone.safeParse(name).success);

/** In the order of a week from Monday. */
function firstDays() {
  const nameOf = new Map(dayNames().map(({ day, long }) => [day, long]));
  return Object.entries(FIRST_DAYS).map(([id, day]) => ({
    id: id as NonNullable<Preferences['first_day']>,
    label: nameOf.get(day) ?? '',
  }));
}
