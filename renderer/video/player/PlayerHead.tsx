import { Link } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useDepotTime } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { SeverityMark } from '../../ui/SeverityMark.tsx';
import { useSubject } from '../orders/useOrders.ts';
import type { VideoOrder } from '../orders/videoOrders.ts';

const TONES = { alarm: 'strong in-alarm', warning: 'strong in-warning', info: 'strong' } as const;

/** Which vehicle, which alarm, when. */
export function PlayerHead({ order, actions }: { order: VideoOrder; actions?: ReactNode }) {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const vehicle = useStore(desk.vehicles.store, (state) => state.byId.get(order.vehicleId));
  const subject = useSubject(order);
  const [copied, setCopied] = useState<boolean | null>(null);
  const [first] = order.tasks;
  const copy = async () => {
    if (first === undefined) return;
    setCopied(await desk.platform.copyText(desk.navigation.linkTo('video', { task: first.task_id })));
  };
  const span = say('orders.span', { from: time.clock(order.from), to: time.clock(order.to) });
  return (
    <>
      {subject !== null && <SeverityMark severity={subject.severity} />}
      <h2>
        {vehicle?.name ?? say('vehicle.gone')}{' '}
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
        {copied === null ? say('player.copy_link') : copied ? say('player.copied') : say('ui.copy_denied')}
      </Button>
    </>
  );
}
