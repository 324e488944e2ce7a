import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { describePast, feedHistoryMap } from '../history/feedHistoryMap.ts';
import { ClipCorner } from '../history/ClipCorner.tsx';
import { HistoryBar } from '../history/HistoryBar.tsx';
import { Journal } from '../history/Journal.tsx';
import { PastDriver } from '../history/PastDriver.tsx';
import { PastList } from '../history/PastList.tsx';
import { SegmentTable } from '../history/SegmentTable.tsx';
import { useT } from '../i18n/useT.ts';
import { lastView } from '../live/lastView.ts';
import { MapPane, type MapScreen } from '../live/MapPane.tsx';
import { speedNumber } from '../format/numbers.ts';
import { SPEED_CLASSES_KMH } from '../map/trackLayer.ts';
import { SegmentedControl } from '../ui/Segments.tsx';
import '../history/History.css';

/** What a vehicle does between two fixes; where it was offline no line is drawn. */
const TRACK_STATUSES = ['moving', 'idle', 'stopped'] as const;

const PAST: MapScreen = {
  view: (app) => app.history.firstView() ?? lastView(app),
  past: { feed: feedHistoryMap, describe: describePast },
  start: () => () => undefined,
};

/** The fleet at a past instant: list, map, journal of the hour, and the time bar under all three. */
export function HistoryScreen() {
  const { history } = useAppContext();
  useEffect(() => history.open(), [history]);
  return (
    <div className="history">
      <div className="history__top">
        <div className="history__list">
          <PastList />
        </div>
        <div className="history__map">
          <PastMap />
          <ClipCorner />
        </div>
        <div className="history__side">
          <Side />
        </div>
      </div>
      <HistoryBar />
    </div>
  );
}

function Side() {
  const { history } = useAppContext();
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const side = useStore(history.store, (state) => state.side);
  return (
    <>
      {vehicleId !== null && <PastDriver key={vehicleId} vehicleId={vehicleId} />}
      {side === 'segments' && vehicleId !== null ? <SegmentTable vehicleId={vehicleId} /> : <Journal />}
    </>
  );
}

function PastMap() {
  const { history } = useAppContext();
  const hasTrack = useStore(history.store, (state) => state.vehicleId !== null);
  return hasTrack ? <MapPane screen={PAST} legend={<TrackLegend />} /> : <MapPane screen={PAST} />;
}

function TrackLegend() {
  const t = useT();
  const { history } = useAppContext();
  const colourBy = useStore(history.store, (state) => state.colourBy);
  return (
    <span className="past-legend">
      <SegmentedControl
        label={t('history.colour')}
        size="small"
        options={[
          { id: 'speed', label: t('history.colour.speed') },
          { id: 'status', label: t('history.colour.status') },
        ]}
        value={colourBy}
        onChange={history.colourBy}
      />
      {colourBy === 'speed' ? <SpeedLegend /> : <StatusLegend />}
    </span>
  );
}

function StatusLegend() {
  const t = useT();
  return TRACK_STATUSES.map((status) => (
    <span key={status}>
      <i style={{ height: 3, background: `var(--${status})` }} />
      {t(`status.${status}`)}
    </span>
  ));
}

/** 30–60, 90+, in the unit of the user. */
const classText = (fromKmh: number, toKmh: number | undefined): string =>
  toKmh === undefined ? `${speedNumber(fromKmh)}+` : `${speedNumber(fromKmh)}–${speedNumber(toKmh)}`;

function SpeedLegend() {
  const t = useT();
  return (
    <>
      {SPEED_CLASSES_KMH.map((from, at) => (
        <span key={from}>
          <i style={{ height: 2 + at * 0.7, opacity: 0.4 + at * 0.2 }} />
          {classText(from, SPEED_CLASSES_KMH[at + 1])}
        </span>
      ))}
      <span>
        <i className="is-over" />
        {t('history.legend_limit')}
      </span>
    </>
  );
}
