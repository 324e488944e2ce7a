import {
  Camera,
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
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import type { MenuEntry } from '../../ui/menuEntry.ts';
import { SegmentedControl } from '../../ui/Segments.tsx';
import { type Playback, RATES } from './playback.ts';
import './Transport.css';

export interface TransportProps {
  playback: Playback;
  /** Of the order, milliseconds since 1970. */
  from: number;
  to: number;
  saves: readonly MenuEntry[];
  snapshots: readonly MenuEntry[];
  sound: { isOn: boolean; toggle: () => void };
  /** The list of marks behind its button. */
  marks: ReactNode;
  /** To the event before and after; null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** What moves the one clock, and what can be taken from the pictures. */
export function Transport(props: TransportProps) {
  const { playback, from, to, saves, snapshots, sound, marks, onPrevious, onNext } = props;
  const t = useT();
  const isPlaying = useStore(playback.store, (state) => state.isPlaying);
  return (
    <div className="transport" role="toolbar" aria-label={t('player.title')}>
      <IconButton
        icon={StepBack}
        label={t('player.previous')}
        keycap="Shift ,"
        disabled={onPrevious === null}
        onPress={() => onPrevious?.()}
      />
      <IconButton
        icon={ChevronLeft}
        label={t('player.frame_back')}
        keycap=","
        onPress={() => playback.step(-1)}
      />
      <div className="transport__play">
        <Button kind="primary" wide icon={isPlaying ? Pause : Play} onPress={() => playback.toggle()}>
          {isPlaying ? t('player.pause') : t('player.play')}
        </Button>
      </div>
      <IconButton
        icon={ChevronRight}
        label={t('player.frame_on')}
        keycap="."
        onPress={() => playback.step(1)}
      />
      <IconButton
        icon={StepForward}
        label={t('player.next')}
        keycap="Shift ."
        disabled={onNext === null}
        onPress={() => onNext?.()}
      />
      <ClipClock playback={playback} from={from} to={to} />
      <span className="fill" />
      <div className="transport__key" aria-hidden>
        <span>
          <i className="is-here" />
          {t('player.fetched')}
        </span>
        <span>
          <i className="is-missing" />
          {t('player.none')}
        </span>
      </div>
      <RateChoice playback={playback} />
      {marks}
      <MenuButton label={t('player.snapshot')} size="normal" entries={snapshots}>
        <Icon of={Camera} />
      </MenuButton>
      <IconButton
        icon={sound.isOn ? Volume2 : VolumeX}
        label={sound.isOn ? t('player.sound_off') : t('player.sound_on')}
        pressed={sound.isOn}
        onPress={sound.toggle}
      />
      <MenuButton label={t('player.save')} size="normal" entries={saves}>
        <Icon of={Download} />
      </MenuButton>
    </div>
  );
}

/** The moment on the pictures, in the depot's zone, to the tenth of a second. */
function ClipClock({ playback, from, to }: { playback: Playback; from: number; to: number }) {
  const time = useDepotTime();
  const tenths = useStore(playback.store, (state) => Math.floor(state.position * 10));
  const at = from + tenths * 100;
  return (
    <>
      <time className="transport__clock" dateTime={new Date(at).toISOString()} title={time.utc(at)}>
        {time.clock(at)}.{Math.floor((at % 1_000) / 100)}
      </time>
      <span className="transport__length">
        {formatNumber(tenths / 10, 1)} / {formatNumber((to - from) / 1_000)} s
      </span>
    </>
  );
}

const PARTS: Readonly<Record<number, string | undefined>> = { 0.25: '¼', 0.5: '½' };

/** ¼ ½ 1× 2× 4× 8× */
const formatRate = (rate: number): string => PARTS[rate] ?? `${rate}×`;

/** How fast it plays: all choices side by side, or in a menu where there is no room for them. */
function RateChoice({ playback }: { playback: Playback }) {
  const t = useT();
  const rate = useStore(playback.store, (state) => state.rate);
  return (
    <>
      <div className="rate-segments">
        <SegmentedControl
          size="small"
          label={t('player.rate')}
          options={RATES.map((it) => ({ id: String(it), label: formatRate(it) }))}
          value={String(rate)}
          onChange={(id) => playback.setRate(Number(id))}
        />
      </div>
      <div className="rate-menu">
        <MenuButton
          label={t('player.rate_is', { rate: formatRate(rate) })}
          size="normal"
          entries={RATES.map((it) => ({
            id: String(it),
            label: formatRate(it),
            run: () => playback.setRate(it),
          }))}
        >
          {formatRate(rate)}
        </MenuButton>
      </div>
    </>
  );
}
