import { useT } from '../i18n/useT.ts';
import { HistoryLanes } from './HistoryLanes.tsx';
import { HistoryTransport } from './HistoryTransport.tsx';
import '../video/player/TimeBar.css';
import './HistoryBar.css';

/** What moves the instant, and the lanes of the day under one playhead. */
export function HistoryBar() {
  const t = useT();
  return (
    <section className="history-bar" aria-label={t('history.charts')} data-pane tabIndex={-1}>
      <HistoryTransport />
      <HistoryLanes />
    </section>
  );
}
