import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { doorName, type IntakeMessage, type IntakeState } from '../../server/contract/intake.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Choice } from '../ui/Choice.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBand } from '../ui/StaleBand.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { ClockList } from './ClockList.tsx';
import { DoorTable } from './DoorTable.tsx';
import { KnockList } from './KnockList.tsx';
import { MessageSide } from './MessageSide.tsx';
import { MessagesPart, type MessageWish } from './MessagesPart.tsx';
import { OpenSwitch } from './OpenSwitch.tsx';
import { useIntake } from './useIntake.ts';
import { useKeptInPlace } from './useKeptInPlace.ts';
import '../ui/manage.css';
import '../vehicles/VehiclePanel.css';
import '../vehicles/manage/vehicles.css';
import './intake.css';

/** Under this width of the window, and beside an open message, the list leaves out what the message says. */
const WIDE_PX = 1_300;
const SKELETON = [
  [220, 160, 30, 40, 80, 80],
  [200, 160, 30, 40, 70, 80],
] as const;

/** Where terminals come in: how to point one here, who knocks, and what each said. */
export function TerminalsTab() {
  const desk = useDesk();
  const say = useText();
  const { query } = useStore(desk.navigation.store);
  const { value: intake, load, again } = useIntake();
  const [message, setMessage] = useState<IntakeMessage | null>(null);
  const { width } = useWindowSize();
  const door = doorName.safeParse(query['door']);
  const wish: MessageWish = { door: door.success ? door.data : null, terminal: query['terminal'] ?? null };
  const setWish = (next: MessageWish) => desk.navigation.note({ door: next.door, terminal: next.terminal });
  const showTerminal = (terminal: string) => setWish({ door: null, terminal });
  const { scroller, kept, hold } = useKeptInPlace(message !== null);
  const show = useCallback(
    (next: IntakeMessage | null) => {
      hold();
      setMessage(next);
    },
    [hold],
  );
  const close = () => show(null);
  useEscape(message !== null, close);

  return (
    <div className="manage">
      <div className="pane manage__main">
        <StaleBand>{say('intake.stale')}</StaleBand>
        <div ref={scroller} className="intake">
          {intake !== null ? (
            <>
              <Doors intake={intake} onChanged={again} />
              <ClockList clocks={intake.clocks} />
            </>
          ) : load.phase === 'failed' ? (
            <div className="intake__part">
              <LoadFailure
                title={say('intake.failed')}
                stillWorks={say('intake.failed_still')}
                error={load.error}
                nextTryAt={load.nextTryAt}
                onRetry={again}
              />
            </div>
          ) : (
            <SkeletonRows
              className="intake__skeleton"
              widths={SKELETON}
              rows={5}
              label={say('intake.reading')}
            />
          )}
          <KnockList onShow={showTerminal} />
          <MessagesPart
            kept={kept}
            wish={wish}
            onWish={setWish}
            selected={message}
            onSelect={show}
            narrow={width < WIDE_PX || message !== null}
          />
        </div>
      </div>
      {message !== null && <MessageSide message={message} onClose={close} onOnly={showTerminal} />}
    </div>
  );
}

function Doors({ intake, onChanged }: { intake: IntakeState; onChanged: () => void }) {
  const say = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const { addresses } = intake;
  const host = addresses.find((it) => it === chosen) ?? addresses[0] ?? '127.0.0.1';
  return (
    <section className="intake__part" aria-label={say('intake.doors')}>
      <div className="intake__head">
        <OpenSwitch intake={intake} onChanged={onChanged} />
        {addresses.length > 1 && (
          <Choice
            label={say('intake.which_address')}
            value={host}
            onChange={setChosen}
            options={addresses.map((id) => ({ id, label: id }))}
          />
        )}
      </div>
      <DoorTable intake={intake} host={host} />
      <p className="quiet small">{say('intake.since_start')}</p>
    </section>
  );
}
