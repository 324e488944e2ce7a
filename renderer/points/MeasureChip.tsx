import { X } from 'lucide-react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatMeasure } from '../geofences/geofenceLabels.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { useT } from '../i18n/useT.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { stopMeasuring } from './mapPoint.ts';

/** What is being measured on this map, and how much it is so far. */
export function MeasureChip({ map }: { map: ConsoleMap }) {
  const app = useAppContext();
  const t = useT();
  const measuring = useStore(app.view, (state) => state.measuring);
  if (measuring === null || app.map.drawing() !== map) return null;
  const { shape, sizes } = measuring;
  return (
    <div className="map-chip map-chip--geofence">
      <span className="strong">{t(shape === 'line' ? 'measure.distance' : 'measure.area')}</span>
      <span role="status">{sizes === null ? t('measure.how') : formatMeasure(sizes, t)}</span>
      <IconButton
        icon={X}
        size="small"
        label={t('ui.close')}
        keycap="Esc"
        onPress={() => stopMeasuring(app)}
      />
    </div>
  );
}
