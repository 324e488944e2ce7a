import { Fragment, useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { type Profile } from '../../../server/contract/videoProfiles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useLostSince } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import type { TextKey } from '../../i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { useVideo } from '../../video/useVideo.ts';
import { CameraDialog } from './CameraDialog.tsx';
import { offsetText, vehicleOffsetMin } from './cameraForm.ts';
import { useCameras } from './useCameras.ts';
import './cameras.css';

/** The cameras of a vehicle, to be set up, tried, changed and deleted. */
export function CameraSection({ vehicle }: { vehicle: Vehicle }) {
  const say = useText();
  const lost = useLostSince() !== null;
  const { load, again } = useCameras(vehicle.vehicle_id);
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="cameras" aria-label={say('cameras.title')}>
      <h3 className="cameras__title">{say('cameras.title')}</h3>
      {load.phase === 'known' ? (
        <KnownCameras
          vehicle={vehicle}
          profile={load.profile}
          onChange={() => setOpen(true)}
          onGone={again}
        />
      ) : load.phase === 'reading' ? (
        <p className="faint">{say('cameras.reading')}</p>
      ) : load.phase === 'failed' ? (
        <div className="manage__buttons">
          <p className="quiet">{say('cameras.failed')}</p>
          <RetryButton size="small" onRetry={again} />
        </div>
      ) : (
        <>
          <p className="quiet">{say('cameras.none')}</p>
          <div className="manage__buttons">
            <Button size="small" disabled={lost} onPress={() => setOpen(true)}>
              {say('cameras.add')}
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
  const desk = useDesk();
  const video = useVideo();
  const say = useText();
  const lost = useLostSince() !== null;
  const [isSure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const [word, setWord] = useState<string | null>(null);
  const { kind, connection, channels, online } = profile;

  const act = async (run: () => Promise<void>) => {
    setBusy(true);
    setWord(null);
    try {
      await run();
    } catch (error) {
      setWord(
        sentenceOf(error, say, { not_found: say('cameras.gone'), version_conflict: say('cameras.conflict') }),
      );
    } finally {
      setBusy(false);
    }
  };
  const test = () =>
    act(async () => {
      const { online: isOn } = await video.profiles.readAgain(profile.profile_id);
      setWord(say(testWord(isOn)));
    });
  const remove = () =>
    act(async () => {
      await desk.api.request(videoRoutes.removeProfile, {
        params: { profile_id: profile.profile_id },
        ifMatch: profile.version,
      });
      video.profiles.forget(profile.vehicle_id);
      onGone();
    });

  const facts: [string, string | null][] = [
    [say('cameras.kind'), say(`cameras.kind.${kind}`)],
    [say('cameras.name'), profile.name],
    [say('cameras.channels'), channels.map((it) => `${it.channel} ${it.name}`).join(', ')],
    [say('cameras.address'), connection.url ?? null],
    [say('cameras.auth'), kind === 'http' ? say(`cameras.auth.${connection.auth ?? 'none'}`) : null],
    [
      say('cameras.clock'),
      kind === 'jt1078'
        ? connection.utc_offset_min === undefined
          ? say('cameras.clock_vehicle', { offset: offsetText(vehicleOffsetMin(vehicle)) })
          : say('cameras.clock_of', { offset: offsetText(connection.utc_offset_min) })
        : null,
    ],
    [say('cameras.stream'), kind === 'jt1078' ? say(`cameras.stream.${connection.stream ?? 'both'}`) : null],
    [
      say('tasks.column.terminal'),
      online === null ? say('tasks.online_unknown') : say(online ? 'tasks.online' : 'tasks.offline'),
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
        <Button size="small" disabled={lost || busy} onPress={() => void test()}>
          {say('cameras.test')}
        </Button>
        <Button size="small" disabled={lost || busy} onPress={onChange}>
          {say('cameras.change')}
        </Button>
        <Button
          size="small"
          disabled={lost || busy}
          onPress={() => {
            if (isSure) void remove();
            setSure(!isSure);
          }}
        >
          {say(isSure ? 'cameras.delete_really' : 'cameras.delete')}
        </Button>
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
