import { useState } from 'react';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { BulkActionDialog, type BulkAction } from './BulkActionDialog.tsx';

/** What can be done to all geofences that are ticked. */
export function BulkActionBar({
  geofences,
  onClear,
}: {
  geofences: readonly Geofence[];
  onClear: () => void;
}) {
  const t = useT();
  const isLost = useLostSince() !== null;
  const [work, setWork] = useState<{ action: BulkAction; geofences: readonly Geofence[] } | null>(null);
  const title = t('geofence_bulk.title', { count: geofences.length });
  return (
    <div className="geofence-list__many" role="group" aria-label={title}>
      <span className="strong">{title}</span>
      <Button size="small" disabled={isLost} onPress={() => setWork({ action: 'join', geofences })}>
        {t('geofence_bulk.join')}
      </Button>
      <Button size="small" disabled={isLost} onPress={() => setWork({ action: 'delete', geofences })}>
        {t('geofence_bulk.delete')}
      </Button>
      <span className="fill" />
      <Button size="small" kind="quiet" onPress={onClear}>
        {t('geofence_bulk.clear')}
      </Button>
      {work !== null && (
        <BulkActionDialog
          {...work}
          onClose={(isDone) => {
            setWork(null);
            if (isDone) onClear();
          }}
        />
      )}
    </div>
  );
}
