import { Play } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import {
  alarmSeverities,
  alarmSoundNames,
  soundRepeats,
  type AlarmSounds,
} from '../../server/contract/preferences.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { createAlarmSound } from '../notifications/alarmSound.ts';
import { DEFAULT_SOUNDS } from '../notifications/alarmSounds.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Choice } from '../ui/Select.tsx';

const VOLUMES = [20, 40, 60, 80, 100] as const;
const PAUSES_S = [10, 20, 30, 60, 120, 300] as const;

/** What this user hears of alarms and warnings, how loud, and for how long. */
export function SoundSettings() {
  const app = useAppContext();
  const t = useT();
  const sounds = useStore(app.userPreferences.store, (state) => state.sounds) ?? DEFAULT_SOUNDS;
  const test = useMemo(() => createAlarmSound(), []);
  useEffect(() => () => test.stop(), [test]);
  const change = (part: Partial<AlarmSounds>) =>
    app.userPreferences.change({ sounds: { ...sounds, ...part } });
  return (
    <>
      <p className="quiet">{t('sounds.about')}</p>
      <div className="form-grid">
        <Choice
          label={t('sounds.volume')}
          value={String(Math.round(sounds.volume * 100))}
          options={VOLUMES.map((volume) => ({ id: String(volume), label: t('sounds.percent', { volume }) }))}
          onChange={(volume) => change({ volume: Number(volume) / 100 })}
        />
      </div>
      {alarmSeverities.map((severity) => {
        const own = sounds[severity];
        const changeOwn = (part: Partial<typeof own>) => change({ [severity]: { ...own, ...part } });
        return (
          <div key={severity} className="form-grid" role="group" aria-label={t(`sounds.${severity}`)}>
            <Choice
              label={t(`sounds.${severity}`)}
              value={own.sound}
              options={alarmSoundNames.map((id) => ({ id, label: t(`sound.${id}`) }))}
              onChange={(sound) => changeOwn({ sound })}
            />
            <IconButton
              icon={Play}
              label={t('sounds.test')}
              disabled={own.sound === 'none'}
              onPress={() => {
                if (own.sound !== 'none') test.play(own.sound, sounds.volume);
              }}
            />
            <Choice
              label={t('sounds.repeat')}
              value={own.repeat}
              disabled={own.sound === 'none'}
              options={soundRepeats.map((id) => ({ id, label: t(`sounds.repeat.${id}`) }))}
              onChange={(repeat) => changeOwn({ repeat })}
            />
            {own.repeat !== 'none' && own.sound !== 'none' && (
              <Choice
                label={t('sounds.every')}
                value={String(own.every_s)}
                options={PAUSES_S.map((s) => ({ id: String(s), label: t('sounds.seconds', { seconds: s }) }))}
                onChange={(every) => changeOwn({ every_s: Number(every) })}
              />
            )}
          </div>
        );
      })}
    </>
  );
}
