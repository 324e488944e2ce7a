import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { isProblem } from '../../api/errors.ts';
import { useVideo } from '../../video/useVideo.ts';

export type CamerasLoad =
  { phase: 'reading' } | { phase: 'none' } | { phase: 'known'; profile: Profile } | { phase: 'failed' };

/** The cameras of a vehicle: read when shown, and again on request. */
export function useCameras(vehicleId: string): { load: CamerasLoad; again: () => void } {
  const { profiles } = useVideo();
  const profile = useStore(profiles.store, (state) => state.byVehicle.get(vehicleId));
  const [answer, setAnswer] = useState<{ vehicleId: string; phase: 'none' | 'failed' | 'known' } | null>(
    null,
  );
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOver = false;
    const notify = (phase: 'none' | 'failed' | 'known') => {
      if (!isOver) setAnswer({ vehicleId, phase });
    };
    profiles.ofVehicle(vehicleId).then(
      () => notify('known'),
      (error: unknown) => {
        const isNone = isProblem(error, 'not_found');
        if (isNone && !isOver) profiles.forget(vehicleId);
        notify(isNone ? 'none' : 'failed');
      },
    );
    return () => {
      isOver = true;
    };
  }, [profiles, vehicleId, round]);
  const again = useCallback(() => setRound((it) => it + 1), []);
  if (profile !== undefined) return { load: { phase: 'known', profile }, again };
  if (answer === null || answer.vehicleId !== vehicleId) return { load: { phase: 'reading' }, again };
  return { load: { phase: answer.phase === 'failed' ? 'failed' : 'none' }, again };
}
