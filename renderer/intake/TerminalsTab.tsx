import { useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { listenerName, type IntakeMessage, type IntakeState } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Choice } from '../ui/Select.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { ClockList } from './ClockList.tsx';
import { ListenerTable } from './ListenerTable.tsx';
import { UnknownTerminalList } from './UnknownTerminalList.tsx';
import { MessagePanel } from './MessagePanel.tsx';
import { MessagesPart, type MessageFilter } from './MessagesPart.tsx';
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

/** Terminals: how to set one up, the unknown ones, and the messages of each. */
export function TerminalsTab() {
  const app = useAppContext();
  const t = useT();
  const { query } = useStore(app.navigation.store);
  const { value: intake, load, again } = useIntake();
  const [message, setMessage] = useState<IntakeMessage | null>(null);
  const { width } = useWindowSize();
  const listener = listenerName.safeParse(query['listener']);
  const filter: MessageFilter = {
    listener: listener.success ? listener.data : null,
    terminal: query['terminal'] ?? null,
  };
  const setFilter = (next: MessageFilter) =>
    app.navigation.note({ listener: next.listener, terminal: next.terminal });
  const showTerminal = (terminal: string) => setFilter({ listener: null, terminal });
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
        <StaleBanner>{t('intake.stale')}</StaleBanner>
        <div ref={scroller} className="intake">
          {intake !== null ? (
            <>
              <Listeners intake={intake} onChanged={again} />
              <ClockList clocks={intake.clock_offsets} />
            </>
          ) : load.phase === 'failed' ? (
            <div className="intake__part">
              <LoadFailure
                title={t('intake.failed')}
                stillWorks={t('intake.failed_still')}
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
              label={t('intake.reading')}
            />
          )}
          <UnknownTerminalList onShow={showTerminal} />
          <MessagesPart
            kept={kept}
            filter={filter}
            onFilterChange={setFilter}
            selected={message}
            onSelect={show}
            narrow={width < WIDE_PX || message !== null}
          />
        </div>
      </div>
      {message !== null && <MessagePanel message={message} onClose={close} onOnly={showTerminal} />}
    </div>
  );
}

function Listeners({ intake, onChanged }: { intake: IntakeState; onChanged: () => void }) {
  const t = useT();
  const [chosen, setChosen] = useState<string | null>(null);
  const { addresses } = intake;
  const host = addresses.find((it) => it === chosen) ?? addresses[0] ?? '127.0.0.1';
  return (
    <section className="intake__part" aria-label={t('intake.listeners')}>
      <div className="intake__head">
        <OpenSwitch intake={intake} onChanged={onChanged} />
        {addresses.length > 1 && (
          <Choice
            label={t('intake.which_address')}
            value={host}
            onChange={setChosen}
            options={addresses.map((id) => ({ id, label: id }))}
          />
        )}
      </div>
      <ListenerTable intake={intake} host={host} />
      <p className="quiet small">{t('intake.since_start')}</p>
    </section>
  );
}
