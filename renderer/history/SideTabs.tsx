import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { SegmentedControl } from '../ui/Segments.tsx';

/** What stands beside the map: what all did in an hour, or what one vehicle did on the day. */
export function SideTabs() {
  const { history } = useAppContext();
  const t = useT();
  const vehicleId = useStore(history.store, (state) => state.vehicleId);
  const side = useStore(history.store, (state) => state.side);
  if (vehicleId === null) return <h2>{t('history.journal')}</h2>;
  return (
    <SegmentedControl
      label={t('history.side')}
      size="small"
      options={[
        { id: 'journal', label: t('history.journal') },
        { id: 'segments', label: t('history.segments') },
      ]}
      value={side}
      onChange={history.showSide}
    />
  );
}
