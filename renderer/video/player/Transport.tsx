import {
  ChevronLeft,
  ChevronRight,
  Download,
  Pause,
  Play,
  StepBack,
  StepForward,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { useStore } from 'zustand';
import { useDepotTime } from '../../desk/useMoment.ts';
import { numberText } from '../../format/numbers.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { MenuButton, type MenuEntry } from '../../ui/MenuButton.tsx';
import { useText } from '../../i18n/useText.ts';
import { RATES, type Playback } from './playback.ts';
import './Transport.css';

/** ¼ 1× 2× 4× */
const rateText = (rate: number): string => (rate === 0.25 ? '¼' : `${rate}×`);

export function Transport({
  playback,
  from,
  to,
  saves,
  sound,
  onPrevious,
  onNext,
}: {
  playback: Playback;
  from: number;
  to: number;
  saves: readonly MenuEntry[];
  sound: { isOn: boolean; toggle: () => void };
  /** To the neighbouring event of the vehicle that has a video; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const say = useText();
  const isPlaying = useStore(playback.store, (state) => state.isPlaying);
  const rate = useStore(playback.store, (state) => state.rate);
  return (
    <div className="transport" role="toolbar" aria-label={say('player.title')}>
      <IconButton
        icon={StepBack}
        label={say('player.previous')}
        keycap="Shift ,"
        disabled={onPrevious === undefined}
        onPress={() => onPrevious?.()}
      />
      <IconButton
        icon={ChevronLeft}
        label={say('player.frame_back')}
        keycap=","
        onPress={() => playback.step(-1)}
      />
      <div className="transport__play">
        <Button kind="primary" wide icon={isPlaying ? Pause : Play} onPress={() => playback.toggle()}>
          {isPlaying ? say('player.pause') : say('player.play')}
        </Button>
      </div>
      <IconButton
        icon={ChevronRight}
        label={say('player.frame_on')}
        keycap="."
        onPress={() => playback.step(1)}
      />
      <IconButton
        icon={StepForward}
        label={say('player.next')}
        keycap="Shift ."
        disabled={onNext === undefined}
        onPress={() => onNext?.()}
      />
      <FilmClock playback={playback} from={from} to={to} />
      <span className="fill" />
      <div className="transport__key" aria-hidden>
        <span>
          <i className="is-here" />
          {say('player.fetched')}
        </span>
        <span>
          <i className="is-missing" />
          {say('player.none')}
        </span>
      </div>
      <div className="segments" role="group" aria-label={say('player.rate')}>
        {RATES.map((it) => (
          <button
            key={it}
            type="button"
            className="segments__one"
            aria-pressed={it === rate}
            onClick={() => playback.setRate(it)}
          >
            {rateText(it)}
          </button>
        ))}
      </div>
      <IconButton
        icon={sound.isOn ? Volume2 : VolumeX}
        label={sound.isOn ? say('player.sound_off') : say('player.sound_on')}
        pressed={sound.isOn}
        onPress={sound.toggle}
      />
      <MenuButton label={say('player.save')} size="normal" entries={saves}>
        <Icon of={Download} />
      </MenuButton>
    </div>
  );
}

/** The moment on the pictures, in the depot's zone, to the tenth of a second. */
function FilmClock({ playback, from, to }: { playback: Playback; from: number; to: number }) {
  const time = useDepotTime();
  const tenths = useStore(playback.store, (state) => Math.round(state.position * 10));
  const at = from + tenths * 100;
  return (
    <>
      <time className="transport__clock" dateTime={new Date(at).toISOString()} title={time.utc(at)}>
        {time.clock(at)}.{Math.floor((at % 1_000) / 100)}
      </time>
      <span className="transport__length">
        {numberText(tenths / 10, 1)} / {numberText((to - from) / 1_000)} s
      </span>
    </>
  );
}
