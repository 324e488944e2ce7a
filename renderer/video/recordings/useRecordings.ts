import { useCallback, useEffect, useState } from 'react';
import { videoRoutes, type Recordings } from '../../../server/contract/video.ts';
import { type Profile } from '../../../server/contract/videoProfiles.ts';
import { isProblem } from '../../api/errors.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { Window } from './stretches.ts';

/** What is known of a terminal's recordings of a day. */
export type RecordingsLoad =
  | { phase: 'asking' }
  | { phase: 'known'; recordings: Recordings }
  | { phase: 'no_list' }
  | { phase: 'offline' }
  | { phase: 'refused'; detail: string }
  | { phase: 'failed' };

/** Asks the terminal what it still has of a day; again on request, and for another camera or day. */
export function useRecordings(
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
  if (isProblem(error, 'terminal_refused')) return { phase: 'refused', detail: error.problem.detail };
  return { phase: 'failed' };
}
