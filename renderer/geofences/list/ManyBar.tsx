import { useState } from 'react';
import type { Geofence } from '../../../server/contract/geofences.ts';
import { useLostSince } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { ManyDialog, type Deed } from './ManyDialog.tsx';

/** What can be done to all geofences that are ticked. */
export function ManyBar({ fences, onClear }: { fences: readonly Geofence[]; onClear: () => void }) {
  const say = useText();
  const isLost = useLostSince() !== null;
  const [work, setWork] = useState<{ deed: Deed; fences: readonly Geofence[] } | null>(null);
  const title = say('fence_many.title', { count: fences.length });
  return (
    <div className="fence-list__many" role="group" aria-label={title}>
      <span className="strong">{title}</span>
      <Button size="small" disabled={isLost} onPress={() => setWork({ deed: 'join', fences })}>
        {say('fence_many.join')}
      </Button>
      <Button size="small" disabled={isLost} onPress={() => setWork({ deed: 'delete', fences })}>
        {say('fence_many.delete')}
      </Button>
      <span className="fill" />
      <Button size="small" kind="quiet" onPress={onClear}>
        {say('fence_many.clear')}
      </Button>
      {work !== null && (
        <ManyDialog
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
