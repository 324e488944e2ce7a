import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useVideo } from '../useVideo.ts';
import { RecordingsBar } from './RecordingsBar.tsx';
import type { Window } from './stretches.ts';
import { useRecordings, type RecordingsLoad } from './useRecordings.ts';
import './Recordings.css';

const DAY_MS = 86_400_000;
const ZOOMS = { near: 15 * 60_000, far: 2 * 3_600_000, day: DAY_MS } as const;
type Zoom = keyof typeof ZOOMS;
const ZOOM_NAMES = ['near', 'far', 'day'] as const satisfies readonly Zoom[];
const KINDS = ['fetched', 'there', 'gone'] as const;

export interface RecordingsFieldProps {
  profile: Profile;
  /** What is wished; null while it is not readable. Milliseconds since 1970. */
  wish: Window | null;
  onWish: (wish: Window) => void;
  longestMs: number;
}

/** What the terminal has of the day of a wish, what was fetched of it, and what is gone; the wish can be moved on it. */
export function RecordingsField({ profile, wish, onWish, longestMs }: RecordingsFieldProps) {
  const desk = useDesk();
  const video = useVideo();
  const say = useText();
  const time = useDepotTime();
  const tasks = useStore(video.tasks, (state) => state.byId);
  const [zoom, setZoom] = useState<Zoom>('far');
  const [opened] = useState(() => desk.serverTime.now());
  const at = wish === null ? opened : (wish.from + wish.to) / 2;
  const [middle, setMiddle] = useState(at);
  const dayFrom = time.dayStart(wish?.from ?? opened);
  const day = useMemo(() => ({ from: dayFrom, to: dayFrom + DAY_MS }), [dayFrom]);
  const { load, again } = useRecordings(profile, day);

  const half = ZOOMS[zoom] / 2;
  // The bar stands still under the pointer; it follows a wish that would leave it.
  const latest = Math.max(opened, wish?.to ?? 0);
  const shown = viewAround(middle, half, latest);
  const isOut = wish !== null && (wish.from < shown.from || wish.to > shown.to);
  if (isOut && middle !== at) setMiddle(at);
  const view = zoom === 'day' ? day : shown;
  const list =
    load.phase === 'known'
      ? { items: load.recordings.items, askedAt: Date.parse(load.recordings.asked_at) }
      : null;
  const own = useMemo(
    () => [...tasks.values()].filter((it) => it.vehicle_id === profile.vehicle_id),
    [tasks, profile],
  );

  return (
    <div className="recordings" role="group" aria-label={say('recordings.title')}>
      <div className="recordings__head">
        <span className="field__label">{say('recordings.title')}</span>
        <span className="fill" />
        <Segments
          size="small"
          label={say('recordings.zoom')}
          value={zoom}
          options={ZOOM_NAMES.map((id) => ({ id, label: say(`recordings.zoom_${id}`) }))}
          onChange={(id) => {
            setZoom(id);
            setMiddle(at);
          }}
        />
      </div>
      <RecordingsBar
        channels={profile.channels}
        view={view}
        known={day}
        list={list}
        tasks={own}
        wish={wish}
        onWish={onWish}
        limits={{ earliest: 0, latest, longestMs }}
      />
      <div className="recordings__foot">
        {KINDS.filter((kind) => kind === 'fetched' || list !== null).map((kind) => (
          <span key={kind} className="recordings__key">
            <i className={`recordings__part--${kind}`} aria-hidden />
            {say(`recordings.${kind}`)}
          </span>
        ))}
        <span className="fill" />
        <Word load={load} onAgain={again} />
      </div>
    </div>
  );
}

/** As much of the day as is shown: what is still to come has no recordings, but for a breath at its end. */
function viewAround(middle: number, half: number, latest: number): Window {
  const to = Math.min(middle + half, latest + half / 10);
  return { from: to - 2 * half, to };
}

/** What the terminal answered, when it is not the list itself. */
function Word({ load, onAgain }: { load: RecordingsLoad; onAgain: () => void }) {
  const say = useText();
  const words =
    load.phase === 'known'
      ? load.recordings.items.length === 0
        ? say('recordings.empty')
        : null
      : load.phase === 'refused'
        ? say('recordings.refused', { reason: load.detail })
        : say(`recordings.${load.phase}`);
  const mayAsk = load.phase === 'offline' || load.phase === 'refused' || load.phase === 'failed';
  return (
    <>
      <span role="status" className="recordings__word">
        {words}
      </span>
      {mayAsk && (
        <Button size="small" onPress={onAgain}>
          {say('recordings.again')}
        </Button>
      )}
    </>
  );
}
