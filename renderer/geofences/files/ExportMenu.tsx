import { Download } from 'lucide-react';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { exportGeofences, MOST_NAMED, type GeofenceFormat } from './geofenceFiles.ts';

/** Files of all geofences, or of those that are ticked. */
export function ExportMenu({ checked }: { checked: ReadonlySet<string> }) {
  const app = useAppContext();
  const t = useT();
  const save = async (format: GeofenceFormat, ids: readonly string[] | null) => {
    try {
      await exportGeofences(app, format, ids);
    } catch (error) {
      const reason = sentenceOf(error, t) ?? '';
      app.toasts.setState({
        toast: { text: t('geofence_files.not_exported', { reason }), isTrouble: true, action: null },
      });
    }
  };
  const count = checked.size;
  return (
    <MenuButton
      label={t('geofence_files.export')}
      entries={[
        { id: 'geojson', label: t('geofence_files.all_geojson'), run: () => void save('geojson', null) },
        { id: 'kml', label: t('geofence_files.all_kml'), run: () => void save('kml', null) },
        ...(count === 0
          ? []
          : (['geojson', 'kml'] as const).map((format) => ({
              id: `checked-${format}`,
              label:
                count > MOST_NAMED
                  ? t('geofence_files.too_many', { max: MOST_NAMED })
                  : t(`geofence_files.checked_${format}`, { count }),
              disabled: count > MOST_NAMED,
              run: () => void save(format, [...checked]),
            }))),
      ]}
    >
      <Icon of={Download} />
    </MenuButton>
  );
}
