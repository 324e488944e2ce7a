import { Download } from 'lucide-react';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useText } from '../../i18n/useText.ts';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { exportFences, MOST_NAMED, type FenceFormat } from './fenceFiles.ts';

/** Files of all geofences, or of those that are ticked. */
export function ExportMenu({ checked }: { checked: ReadonlySet<string> }) {
  const desk = useDesk();
  const say = useText();
  const save = async (format: FenceFormat, ids: readonly string[] | null) => {
    try {
      await exportFences(desk, format, ids);
    } catch (error) {
      const reason = sentenceOf(error, say) ?? '';
      desk.toasts.setState({
        toast: { text: say('fence_files.not_exported', { reason }), isTrouble: true, action: null },
      });
    }
  };
  const count = checked.size;
  return (
    <MenuButton
      label={say('fence_files.export')}
      entries={[
        { id: 'geojson', label: say('fence_files.all_geojson'), run: () => void save('geojson', null) },
        { id: 'kml', label: say('fence_files.all_kml'), run: () => void save('kml', null) },
        ...(count === 0
          ? []
          : (['geojson', 'kml'] as const).map((format) => ({
              id: `checked-${format}`,
              label:
                count > MOST_NAMED
                  ? say('fence_files.too_many', { most: MOST_NAMED })
                  : say(`fence_files.checked_${format}`, { count }),
              disabled: count > MOST_NAMED,
              run: () => void save(format, [...checked]),
            }))),
      ]}
    >
      <Icon of={Download} />
    </MenuButton>
  );
}
