import { Play } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useStore } from 'zustand';
import {
  alarmSeverities,
  alarmSoundNames,
  soundRepeats,
  type AlarmSounds,
  type OwnSound,
} from '../../server/contract/preferences.ts';
import { ownSounds } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { createAlarmSound, type AlarmSound } from '../notifications/alarmSound.ts';
import { DEFAULT_SOUNDS } from '../notifications/alarmSounds.ts';
import {
  keepOwnSound,
  OWN_SOUND_BYTES,
  OWN_SOUND_S,
  readOwnSound,
  removeOwnSound,
  type OwnSoundFault,
} from '../notifications/ownSounds.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Choice } from '../ui/Select.tsx';

const VOLUMES = [20, 40, 60, 80, 100] as const;
const PAUSES_S = [10, 20, 30, 60, 120, 300] as const;

/** What this user hears of alarms and warnings, how loud, and for how long. */
export function SoundSettings() {
  const app = useAppContext();
  const t = useT();
  const sounds = useStore(app.userPreferences.store, (state) => state.sounds) ?? DEFAULT_SOUNDS;
  const { storage } = app.platform;
  const test = useMemo(
    () => createAlarmSound((sound) => readOwnSound(storage, sound)?.bytes ?? null),
    [storage],
  );
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
      <OwnSounds test={test} volume={sounds.volume} />
    </>
  );
}

/** The files of this computer, which severities and rules may have for their sound. */
function OwnSounds({ test, volume }: { test: AlarmSound; volume: number }) {
  const { storage } = useAppContext().platform;
  const t = useT();
  const [fault, setFault] = useState<{ slot: OwnSound; why: OwnSoundFault } | null>(null);
  const [, look] = useState(0);
  const take = async (slot: OwnSound, file: File) => {
    const why = await keepOwnSound(storage, slot, file, (bytes) => test.durationOf(bytes));
    setFault(why === null ? null : { slot, why });
    look((count) => count + 1);
  };
  return (
    <>
      <h3>{t('sounds.own')}</h3>
      <p className="quiet">{t('sounds.own_about', { kb: OWN_SOUND_BYTES / 1_000, s: OWN_SOUND_S })}</p>
      {ownSounds.map((slot) => {
        const name = readOwnSound(storage, slot)?.name ?? null;
        return (
          <div key={slot} className="own-sound" role="group" aria-label={t(`sound.${slot}`)}>
            <span>{t(`sound.${slot}`)}</span>
            <span className="quiet ellipsis fill">{name ?? t('sounds.own_none')}</span>
            <IconButton
              icon={Play}
              label={t('sounds.test')}
              disabled={name === null}
              onPress={() => test.play(slot, volume)}
            />
            <FileTrigger
              acceptedFileTypes={['audio/*']}
              onSelect={(files) => {
                const file = files?.[0];
                if (file !== undefined) void take(slot, file);
              }}
            >
              <Button size="small">{t('sounds.own_choose')}</Button>
            </FileTrigger>
            <Button
              size="small"
              kind="quiet"
              disabled={name === null}
              onPress={() => {
                removeOwnSound(storage, slot);
                look((count) => count + 1);
              }}
            >
              {t('sounds.own_remove')}
            </Button>
            {fault?.slot === slot && <span role="alert">{t(`sounds.own_${fault.why}`)}</span>}
          </div>
        );
      })}
    </>
  );
}
