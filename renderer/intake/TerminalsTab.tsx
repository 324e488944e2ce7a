import { detailText } from '../ui/formFaults.ts';
import { useCallback, useState, useLayoutEffect, useRef, type RefObject } from 'react';
import { useStore } from 'zustand';
import {
  listenerName,
  type IntakeMessage,
  type IntakeState,
  intakeRoutes,
} from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { usePolling, type Reread } from '../resources/useReread.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Choice } from '../ui/Select.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { useEscape } from '../ui/useEscape.ts';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { ClockSuggestion } from '../vehicles/manage/ClockSuggestion.tsx';
import { ListenerTable } from './ListenerTable.tsx';
import { MessagePanel } from './MessagePanel.tsx';
import { MessagesPart, type MessageFilter } from './MessagesPart.tsx';
import { UnknownTerminalList } from './UnknownTerminalList.tsx';
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

/** Vehicles whose terminal's clock is off by a zone: what each should be set to. */
function ClockList({ clocks }: { clocks: IntakeState['clock_offsets'] }) {
  const { vehicles } = useAppContext();
  const t = useT();
  const byId = useStore(vehicles.store, (state) => state.byId);
  /** Until the counts are read anew, what was set here is as good as gone from the list. */
  const [done, setDone] = useState<ReadonlyMap<string, number>>(new Map());
  const visible = clocks.flatMap((clock) => {
    const vehicle = byId.get(clock.vehicle_id);
    return vehicle === undefined || done.get(clock.vehicle_id) === clock.suggested_clock_offset_s
      ? []
      : [{ vehicle, clock }];
  });
  if (visible.length === 0) return null;
  return (
    <section className="intake__part">
      <h2>{t('intake.clocks')}</h2>
      <ul>
        {visible.map(({ vehicle, clock }) => (
          <li key={vehicle.vehicle_id} className="intake-clock">
            <span className="strong ellipsis">{vehicle.name}</span>
            <ClockSuggestion
              vehicle={vehicle}
              suggestion_s={clock.suggested_clock_offset_s}
              onSet={() =>
                setDone((before) => new Map(before).set(vehicle.vehicle_id, clock.suggested_clock_offset_s))
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether other machines can reach the intake; what changing it means is said before it is done. */
function OpenSwitch({ intake, onChanged }: { intake: IntakeState; onChanged: () => void }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const settings = useStore(app.settings, (state) => state.settings);
  const [confirming, setConfirming] = useState<boolean | null>(null);
  const held = intake.overridden;
  const state = t(intake.open ? 'intake.is_open' : 'intake.is_closed');

  return (
    <div className="intake-open">
      <Toggle
        label={t('intake.open')}
        hint={held ? `${state} ${t('settings.overridden')}` : state}
        on={intake.open}
        onChange={setConfirming}
        disabled={held || lost || settings === null}
      />
      {intake.error !== null && (
        <p className="form-sentence" role="alert">
          {t('intake.fault', { fault: detailText({ detail: intake.error, causes: intake.error_causes }, t) })}
        </p>
      )}
      {confirming !== null && settings !== null && (
        <ActionDialog
          title={t(confirming ? 'intake.open_title' : 'intake.close_title')}
          width={400}
          submit={t(confirming ? 'intake.open_do' : 'intake.close_do')}
          act={async () => {
            await changeSettings(app, settings, { intake_open: confirming });
            onChanged();
          }}
          texts={{ version_conflict: t('intake.conflict') }}
          onClose={() => setConfirming(null)}
        >
          <p>{t(confirming ? 'intake.open_means' : 'intake.close_means')}</p>
          {confirming && <p className="quiet">{t('intake.open_reach')}</p>}
        </ActionDialog>
      )}
    </div>
  );
}

/** The counts move with every message; the stream does not bear them. */
const againMs = 5_000;

/** Where terminals come in, read again while it is shown; dealers alone may ask. */
function useIntake(): Reread<IntakeState> {
  const { api } = useAppContext();
  const read = useCallback((signal: AbortSignal) => api.request(intakeRoutes.state, { signal }), [api]);
  return usePolling(read, againMs);
}

/**
 * Keeps an element at its height on the screen when what stands above it gets taller or lower because something is
 * opened or closed beside it: what was just clicked must not slip away.
 */
function useKeptInPlace(isOpen: boolean): {
  scroller: RefObject<HTMLDivElement | null>;
  kept: RefObject<HTMLElement | null>;
  /** To be called before it is opened or closed. */
  hold: () => void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useRef<HTMLElement>(null);
  const held = useRef<number | null>(null);
  const hold = useCallback(() => {
    held.current = kept.current?.getBoundingClientRect().top ?? null;
  }, []);
  useLayoutEffect(() => {
    const top = kept.current?.getBoundingClientRect().top;
    if (held.current !== null && top !== undefined) scroller.current?.scrollBy({ top: top - held.current });
    held.current = null;
  }, [isOpen]);
  return { scroller, kept, hold };
}
