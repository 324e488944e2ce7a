import { useState } from 'react';
import { useStore } from 'zustand';
import type { Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { Choice } from '../ui/Select.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

type SpeedUnit = Settings['osmand_speed_unit'];

/** In which unit phones name their speed: the message does not say it, and apps differ. */
export function SpeedUnitChoice() {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const settings = useStore(app.settings, (state) => state.settings);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const change = async (osmand_speed_unit: SpeedUnit) => {
    if (settings === null || osmand_speed_unit === settings.osmand_speed_unit) return;
    setBusy(true);
    setSentence(null);
    try {
      await changeSettings(app, settings, { osmand_speed_unit });
    } catch (error) {
      setSentence(sentenceOf(error, t, { version_conflict: t('intake.speed_unit_conflict') }));
    } finally {
      setBusy(false);
    }
  };

  if (settings === null) return null;
  return (
    <div className="listeners__unit">
      <Choice<SpeedUnit>
        label={t('intake.speed_unit')}
        value={settings.osmand_speed_unit}
        onChange={(unit) => void change(unit)}
        disabled={busy || lost}
        options={[
          { id: 'kn', label: t('intake.speed_unit.kn') },
          { id: 'kmh', label: t('intake.speed_unit.kmh') },
          { id: 'ms', label: t('intake.speed_unit.ms') },
        ]}
      />
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
    </div>
  );
}
