import { Fragment, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import type { Profile } from '../../../server/contract/videoProfiles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import type { TextKey } from '../../i18n/text.ts';
import { useAction } from '../../resources/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import { useVideo } from '../../video/useVideo.ts';
import { CameraDialog } from './CameraDialog.tsx';
import { formatOffset, vehicleOffsetMin } from './cameraForm.ts';
import { isProblem } from '../../api/errors.ts';
import './cameras.css';

/** The cameras of a vehicle, to be set up, tried, changed and deleted. */
export function CameraSection({ vehicle }: { vehicle: Vehicle }) {
  const t = useT();
  const lost = useLostSince() !== null;
  const { load, again } = useCameras(vehicle.vehicle_id);
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="cameras" aria-label={t('cameras.title')}>
      <h3 className="cameras__title">{t('cameras.title')}</h3>
      {load.phase === 'known' ? (
        <KnownCameras
          vehicle={vehicle}
          profile={load.profile}
          onChange={() => setOpen(true)}
          onGone={again}
        />
      ) : load.phase === 'reading' ? (
        <p className="faint">{t('cameras.reading')}</p>
      ) : load.phase === 'failed' ? (
        <div className="manage__buttons">
          <p className="quiet">{t('cameras.failed')}</p>
          <RetryButton size="small" onRetry={again} />
        </div>
      ) : (
        <>
          <p className="quiet">{t('cameras.none')}</p>
          <div className="manage__buttons">
            <Button size="small" disabled={lost} onPress={() => setOpen(true)}>
              {t('cameras.add')}
            </Button>
          </div>
        </>
      )}
      {isOpen && (
        <CameraDialog
          vehicle={vehicle}
          profile={load.phase === 'known' ? load.profile : null}
          onClose={() => setOpen(false)}
          onConflict={again}
        />
      )}
    </section>
  );
}

function KnownCameras({
  vehicle,
  profile,
  onChange,
  onGone,
}: {
  vehicle: Vehicle;
  profile: Profile;
  onChange: () => void;
  onGone: () => void;
}) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const lost = useLostSince() !== null;
  const [tested, setTested] = useState<boolean | null | undefined>(undefined);
  const { busy, sentence, run } = useAction();
  const { kind, connection, channels, online } = profile;

  const act = (change: () => Promise<void>) => {
    setTested(undefined);
    void run(change, {
      texts: { not_found: t('cameras.gone'), version_conflict: t('cameras.conflict') },
    });
  };
  const test = () => act(async () => setTested((await video.profiles.readAgain(profile.profile_id)).online));
  const remove = () =>
    act(async () => {
      await app.api.request(videoRoutes.removeProfile, {
        params: { profile_id: profile.profile_id },
        ifMatch: profile.version,
      });
      video.profiles.forget(profile.vehicle_id);
      onGone();
    });

  const word = sentence ?? (tested === undefined ? null : t(testWord(tested)));
  const facts: [string, string | null][] = [
    [t('cameras.kind'), t(`cameras.kind.${kind}`)],
    [t('cameras.name'), profile.name],
    [t('cameras.channels'), channels.map((it) => `${it.channel} ${it.name}`).join(', ')],
    [t('cameras.address'), connection.url ?? null],
    [t('cameras.auth'), kind === 'http' ? t(`cameras.auth.${connection.auth ?? 'none'}`) : null],
    [
      t('cameras.clock'),
      kind === 'jt1078'
        ? connection.utc_offset_min === undefined
          ? t('cameras.clock_vehicle', { offset: formatOffset(vehicleOffsetMin(vehicle)) })
          : t('cameras.clock_of', { offset: formatOffset(connection.utc_offset_min) })
        : null,
    ],
    [t('cameras.stream'), kind === 'jt1078' ? t(`cameras.stream.${connection.stream ?? 'both'}`) : null],
    [
      t('tasks.column.terminal'),
      online === null ? t('tasks.online_unknown') : t(online ? 'tasks.online' : 'tasks.offline'),
    ],
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <Fragment key={name}>
                <dt className="quiet">{name}</dt>
                <dd className="cameras__fact">{value}</dd>
              </Fragment>
            ),
        )}
      </dl>
      <div className="manage__buttons">
        <Button size="small" disabled={lost || busy} onPress={test}>
          {t('cameras.test')}
        </Button>
        <Button size="small" disabled={lost || busy} onPress={onChange}>
          {t('cameras.change')}
        </Button>
        <ConfirmButton
          size="small"
          disabled={lost || busy}
          confirm={t('cameras.delete_really')}
          onConfirm={remove}
        >
          {t('cameras.delete')}
        </ConfirmButton>
      </div>
      <p role="status" className={word === null ? 'unseen' : 'strong'}>
        {word}
      </p>
    </>
  );
}

function testWord(online: boolean | null): TextKey {
  if (online === null) return 'cameras.test_unknown';
  return online ? 'cameras.test_online' : 'cameras.test_offline';
}

type CamerasLoad =
  { phase: 'reading' } | { phase: 'none' } | { phase: 'known'; profile: Profile } | { phase: 'failed' };

/** The cameras of a vehicle: read when shown, and again on request. */
function useCameras(vehicleId: string): { load: CamerasLoad; again: () => void } {
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
