import { Link } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { SeverityMark } from '../../ui/SeverityMark.tsx';
import { useSubject } from '../requests/useOrders.ts';
import type { VideoRequest } from '../requests/videoOrders.ts';

const TONES = { alarm: 'strong in-alarm', warning: 'strong in-warning', info: 'strong' } as const;

/** Which vehicle, which alarm, when. */
export function PlayerHead({ order, actions }: { order: VideoRequest; actions?: ReactNode }) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const subject = useSubject(order);
  const [copied, setCopied] = useState<boolean | null>(null);
  const [first] = order.tasks;
  const copy = async () => {
    if (first === undefined) return;
    setCopied(await app.platform.copyText(app.navigation.linkTo('video', { task: first.task_id })));
  };
  const span = t('video_requests.span', { from: time.clock(order.from), to: time.clock(order.to) });
  return (
    <>
      {subject !== null && <SeverityMark severity={subject.severity} />}
      <h2>
        {vehicle?.name ?? t('vehicle.gone')}{' '}
        {vehicle?.plate != null && <span className="player-head__plate">{vehicle.plate}</span>}
      </h2>
      {subject !== null && (
        <>
          <span className={TONES[subject.severity]}>{subject.words.kind}</span>
          <span className="ellipsis" title={subject.words.what}>
            {subject.words.what}
          </span>
        </>
      )}
      <span className="quiet" title={time.utc(subject?.at ?? order.from)}>
        {subject === null
          ? `${time.date(order.from)} ${span}`
          : `${time.date(subject.at)} ${time.clock(subject.at)}`}
      </span>
      <span className="fill" />
      {actions}
      <Button kind="quiet" size="small" icon={Link} onPress={() => void copy()}>
        {copied === null ? t('player.copy_link') : copied ? t('player.copied') : t('ui.copy_denied')}
      </Button>
    </>
  );
}
