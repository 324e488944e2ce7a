import { Download } from 'lucide-react';
import { useStore } from 'zustand';
import { positionRoutes } from '../../server/contract/positions.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { dateField } from '../format/depotMoment.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';

const FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const;

/** Saves the track of the selected vehicle on the shown day, or in the part of it that is chosen, as a file. */
export function TrackExport() {
  const app = useAppContext();
  const t = useT();
  const { timeZone } = useDepotTime();
  const { busy, sentence, run } = useAction();
  const vehicleId = useStore(app.history.store, (state) => state.vehicleId);
  const vehicles = useStore(app.history.store, (state) => state.vehicles);
  const day = useStore(app.history.store, (state) => state.day);
  const span = useStore(app.history.store, (state) => state.span);
  if (vehicleId === null) return null;
  const name = vehicles.find((it) => it.vehicle_id === vehicleId)?.name ?? '';
  const save = (format: (typeof FORMATS)[number]) =>
    run(async () => {
      const response = await app.api.open(positionRoutes.track, {
        params: { vehicle: vehicleId },
        // Both ends of a track are included.
        query: { from: isoOf((span ?? day).from), to: isoOf((span ?? day).to - 1), format },
      });
      const file = `${name} ${dateField(day.from, timeZone)}`.replaceAll(/[^\p{L}\p{N}.]+/gu, '-');
      await app.platform.saveFile(`${file}.${format}`, await response.blob());
    });
  return (
    <>
      {sentence !== null && <span role="alert">{sentence}</span>}
      <MenuButton
        label={t('history.export', { name })}
        size="normal"
        entries={FORMATS.map((format) => ({
          id: format,
          label: t(`history.export.${format}`),
          disabled: busy,
          run: () => void save(format),
        }))}
      >
        <Icon of={Download} />
      </MenuButton>
    </>
  );
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
