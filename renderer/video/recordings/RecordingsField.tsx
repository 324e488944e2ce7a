import { useMemo, useState, useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Problem } from '../../../server/contract/problem.ts';
import { videoRoutes, type Recordings } from '../../../server/contract/video.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { detailText } from '../../ui/formFaults.ts';
import { SegmentedControl } from '../../ui/Segments.tsx';
import { useVideo } from '../useVideo.ts';
import { RecordingsBar } from './RecordingsBar.tsx';
import type { Window } from './stretches.ts';
import './Recordings.css';

const DAY_MS = 86_400_000;
const ZOOMS = { near: 15 * 60_000, far: 2 * 3_600_000, day: DAY_MS } as const;
type Zoom = keyof typeof ZOOMS;
const ZOOM_NAMES = ['near', 'far', 'day'] as const satisfies readonly Zoom[];
const KINDS = ['fetched', 'there', 'gone'] as const;

export interface RecordingsFieldProps {
  profile: Profile;
  /** The requested period; null while it is not readable. Milliseconds since 1970. */
  filter: Window | null;
  onFilterChange: (filter: Window) => void;
  maxMs: number;
}

/** The recordings of the requested day: on the terminal, fetched, and overwritten; the requested period can be moved on it. */
export function RecordingsField({ profile, filter, onFilterChange, maxMs }: RecordingsFieldProps) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const time = useDepotTime();
  const tasks = useStore(video.tasks, (state) => state.byId);
  const [zoom, setZoom] = useState<Zoom>('far');
  const [opened] = useState(() => app.serverTime.now());
  const at = filter === null ? opened : (filter.from + filter.to) / 2;
  const [middle, setMiddle] = useState(at);
  const dayFrom = time.dayStart(filter?.from ?? opened);
  const day = useMemo(() => ({ from: dayFrom, to: dayFrom + DAY_MS }), [dayFrom]);
  const { load, again } = useRecordings(profile, day);

  const half = ZOOMS[zoom] / 2;
  // The bar stays still under the pointer; it scrolls when the requested period would leave it.
  const latest = Math.max(opened, filter?.to ?? 0);
  const visible = viewAround(middle, half, latest);
  const isOut = filter !== null && (filter.from < visible.from || filter.to > visible.to);
  if (isOut && middle !== at) setMiddle(at);
  const view = zoom === 'day' ? day : visible;
  const list =
    load.phase === 'known'
      ? { items: load.recordings.items, askedAt: Date.parse(load.recordings.asked_at) }
      : null;
  const own = useMemo(
    () => [...tasks.values()].filter((it) => it.vehicle_id === profile.vehicle_id),
    [tasks, profile],
  );

  return (
    <div className="recordings" role="group" aria-label={t('recordings.title')}>
      <div className="recordings__head">
        <span className="field__label">{t('recordings.title')}</span>
        <span className="fill" />
        <SegmentedControl
          size="small"
          label={t('recordings.zoom')}
          value={zoom}
          options={ZOOM_NAMES.map((id) => ({ id, label: t(`recordings.zoom_${id}`) }))}
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
        filter={filter}
        onFilterChange={onFilterChange}
        limits={{ earliest: 0, latest, maxMs }}
      />
      <div className="recordings__foot">
        {KINDS.filter((kind) => kind === 'fetched' || list !== null).map((kind) => (
          <span key={kind} className="recordings__key">
            <i className={`recordings__part--${kind}`} aria-hidden />
            {t(`recordings.${kind}`)}
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
  const t = useT();
  const words =
    load.phase === 'known'
      ? load.recordings.items.length === 0
        ? t('recordings.empty')
        : null
      : load.phase === 'refused'
        ? t('recordings.refused', { reason: detailText(load.problem, t) })
        : t(`recordings.${load.phase}`);
  const mayAsk = load.phase === 'offline' || load.phase === 'refused' || load.phase === 'failed';
  return (
    <>
      <span role="status" className="recordings__word">
        {words}
      </span>
      {mayAsk && (
        <Button size="small" onPress={onAgain}>
          {t('recordings.again')}
        </Button>
      )}
    </>
  );
}

/** What is known of a terminal's recordings of a day. */
type RecordingsLoad =
  | { phase: 'asking' }
  | { phase: 'known'; recordings: Recordings }
  | { phase: 'no_list' }
  | { phase: 'offline' }
  | { phase: 'refused'; problem: Problem }
  | { phase: 'failed' };

/** Asks the terminal what it still has of a day; again on request, and for another camera or day. */
function useRecordings(
  profile: Pick<Profile, 'profile_id'> | undefined,
  day: Window,
): { load: RecordingsLoad; again: () => void } {
  const { api } = useAppContext();
  const [answer, setAnswer] = useState<{ asked: string; load: RecordingsLoad } | null>(null);
  const [round, setRound] = useState(0);
  const profileId = profile?.profile_id;
  const { from, to } = day;
  const asked = `${profileId ?? ''} ${from} ${round}`;
  useEffect(() => {
    if (profileId === undefined) return;
    const abort = new AbortController();
    const notify = (load: RecordingsLoad) => {
      if (!abort.signal.aborted) setAnswer({ asked, load });
    };
    api
      .request(videoRoutes.recordings, {
        params: { profile_id: profileId },
        query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
        signal: abort.signal,
      })
      .then(
        (recordings) => notify(recordings.supported ? { phase: 'known', recordings } : { phase: 'no_list' }),
        (error: unknown) => notify(failureOf(error)),
      );
    return () => abort.abort();
  }, [api, profileId, from, to, asked]);
  const again = useCallback(() => setRound((it) => it + 1), []);
  return { load: answer?.asked === asked ? answer.load : { phase: 'asking' }, again };
}

function failureOf(error: unknown): RecordingsLoad {
  if (isProblem(error, 'terminal_offline')) return { phase: 'offline' };
  if (isProblem(error, 'terminal_refused')) return { phase: 'refused', problem: error.problem };
  return { phase: 'failed' };
}
