import { useState } from 'react';
import { useStore } from 'zustand';
import type { Settings } from '../../server/contract/settings.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { Choice } from '../ui/Choice.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

type SpeedUnit = Settings['osmand_speed_unit'];

/** In which unit phones name their speed: the message does not say it, and apps differ. */
export function SpeedUnitChoice() {
  const desk = useDesk();
  const say = useText();
  const lost = useLostSince() !== null;
  const settings = useStore(desk.settings, (state) => state.settings);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const change = async (osmand_speed_unit: SpeedUnit) => {
    if (settings === null || osmand_speed_unit === settings.osmand_speed_unit) return;
    setBusy(true);
    setSentence(null);
    try {
      await changeSettings(desk, settings, { osmand_speed_unit });
    } catch (error) {
      setSentence(sentenceOf(error, say, { version_conflict: say('intake.speed_unit_conflict') }));
    } finally {
      setBusy(false);
    }
  };

  if (settings === null) return null;
  return (
    <div className="doors__unit">
      <Choice<SpeedUnit>
        label={say('intake.speed_unit')}
        value={settings.osmand_speed_unit}
        onChange={(unit) => void change(unit)}
        disabled={busy || lost}
        options={[
          { id: 'kn', label: say('intake.speed_unit.kn') },
          { id: 'kmh', label: say('intake.speed_unit.kmh') },
          { id: 'ms', label: say('intake.speed_unit.ms') },
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
