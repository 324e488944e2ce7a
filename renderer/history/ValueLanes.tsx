import { ChartLine, Check } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useStore } from 'zustand';
import type { TrackColumns } from '../../server/contract/packedTracks.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { useElementSize } from '../ui/useWindowSize.ts';
import { MOST_CHARTS } from '../settings/preferences.ts';
import { valueAt, valueCurve, type ValueCurve } from './valueColumn.ts';
import { inUnit } from '../format/units.ts';
import { nameOfValue } from './valueNames.ts';
import '../ui/MenuButton.css';

/** Wants the numbers of the vehicle-day that is looked at, for as long as somebody shows them. */
function useDayValues(isShown: boolean): TrackColumns | null {
  const { history } = useAppContext();
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const day = useStore(history.store, (state) => state.day);
  useEffect(() => {
    if (isShown) history.values.want(vehicleId === null ? null : { vehicleId, ...day });
  }, [history, vehicleId, day, isShown]);
  return useStore(history.values.store, ({ wanted, found }) =>
    wanted?.vehicleId === vehicleId ? found : null,
  );
}

/** The values that the operator has chosen, as far as the vehicle's terminal sends them. */
export function ValueLanes() {
  const app = useAppContext();
  const names = useStore(app.preferences, (state) => state.historyCharts);
  const columns = useDayValues(names.length > 0);
  if (columns === null) return null;
  return names.map((name) => {
    const values = columns.values[name];
    return values && <ValueLane key={name} name={name} columns={columns} values={values} />;
  });
}

function ValueLane({ name, columns, values }: { name: string; columns: TrackColumns; values: Float64Array }) {
  const { history } = useAppContext();
  const lane = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(lane);
  const view = useStore(history.store, (state) => state.view);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const curve = useMemo(
    () => (width === 0 ? null : valueCurve(columns, values, view, Math.floor(width))),
    [columns, values, view, width],
  );
  const { label, unit, quantity } = nameOfValue(name);
  // What is in kilometres is kept so, while distances of the contract are in metres.
  const shown = (kept: number) =>
    withUnit(
      quantity === null ? kept : inUnit(quantity, quantity === 'distance' ? kept * 1_000 : kept),
      unit,
    );
  const value = valueAt(columns, values, shownAt);
  return (
    <div className="history-lanes__row history-lanes__row--one">
      <span className="lane__name" title={name}>
        <span className="ellipsis">{label}</span>
        <b>{value === null ? '–' : shown(value)}</b>
      </span>
      <div ref={lane} className="history-value">
        {curve !== null && !Number.isNaN(curve.most) && (
          <>
            <Curve curve={curve} />
            <span className="history-value__most">{shown(curve.most)}</span>
            <span className="history-value__least">{shown(curve.least)}</span>
          </>
        )}
      </div>
    </div>
  );
}

const withUnit = (value: number, unit: string): string =>
  `${formatNumber(value, decimalsOf(value))}${unit === '' ? '' : ` ${unit}`}`;

/** As many as say something: two at most, fewer of large numbers. */
function decimalsOf(value: number): number {
  const most = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  const [, fraction = ''] = String(Number(value.toFixed(most))).split('.');
  return fraction.length;
}

/** From the lowest to the highest value that is seen, cut where nothing is known. */
function Curve({ curve: { low, high, least, most } }: { curve: ValueCurve }) {
  const path = useMemo(() => {
    const span = most - least || 1;
    const y = (value: number) => (most === least ? 50 : 94 - ((value - least) / span) * 88).toFixed(1);
    let line = '';
    let isOpen = false;
    low.forEach((value, x) => {
      const top = high[x] ?? value;
      if (!Number.isNaN(value)) {
        line += `${isOpen ? 'L' : 'M'}${x} ${y(value)}`;
        if (top !== value) line += `L${x} ${y(top)}`;
      }
      isOpen = !Number.isNaN(value);
    });
    return line;
  }, [low, high, least, most]);
  return (
    <svg className="history-area" viewBox={`0 0 ${low.length} 100`} preserveAspectRatio="none" aria-hidden>
      <path className="history-area__line" d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** Chooses what is drawn beside the speed, of all that the terminal sent on the day. */
export function ValueMenu({ vehicleName }: { vehicleName: string }) {
  const app = useAppContext();
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const chosen = useStore(app.preferences, (state) => state.historyCharts);
  const columns = useDayValues(isOpen || chosen.length > 0);
  const load = useStore(app.history.values.store, (state) => state.load);
  const names = Object.keys(columns?.values ?? {});
  const label = t('history.values', { name: vehicleName });
  const word =
    columns !== null
      ? names.length === 0
        ? t('history.values_none')
        : null
      : t(load.phase === 'failed' ? 'history.values_failed' : 'history.values_loading');
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button className="icon-button icon-button--normal" aria-label={label}>
        <Icon of={ChartLine} />
      </Button>
      <Popover className="popover" offset={4} placement="top end">
        {word !== null && (
          <p className="quiet history-values__word" role="status">
            {word}
          </p>
        )}
        <Menu
          className="menu history-values"
          aria-label={label}
          selectionMode="multiple"
          selectedKeys={chosen}
          onSelectionChange={(keys) => {
            if (keys === 'all') return;
            const ids = [...keys].map(String);
            // Those that this vehicle does not send stay chosen for others.
            const next = [
              ...chosen.filter((it) => ids.includes(it)),
              ...ids.filter((it) => !chosen.includes(it)),
            ];
            app.preferences.setState({ historyCharts: next.slice(-MOST_CHARTS) });
          }}
        >
          {names.map((name) => {
            const { label: text, unit } = nameOfValue(name);
            return (
              <MenuItem key={name} id={name} className="menu__item" textValue={text}>
                <span className="history-values__check">{chosen.includes(name) && <Icon of={Check} />}</span>
                <span className="fill">{text}</span>
                <span className="faint">{unit}</span>
              </MenuItem>
            );
          })}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
