import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useLostSince } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { ManyDialog, type Deed } from './ManyDialog.tsx';

/** What can be done to all vehicles that are ticked. */
export function ManyBar({ vehicles, onClear }: { vehicles: readonly Vehicle[]; onClear: () => void }) {
  const say = useText();
  const lost = useLostSince() !== null;
  const [deed, setDeed] = useState<{ kind: Deed; vehicles: readonly Vehicle[] } | null>(null);
  const open = (kind: Deed) => setDeed({ kind, vehicles });
  return (
    <div className="manage__foot" role="group" aria-label={say('many.title', { count: vehicles.length })}>
      <span className="strong">{say('many.title', { count: vehicles.length })}</span>
      <Button size="small" disabled={lost} onPress={() => open('join')}>
        {say('many.join')}
      </Button>
      <Button size="small" disabled={lost} onPress={() => open('leave')}>
        {say('many.leave')}
      </Button>
      <Button size="small" disabled={lost} onPress={() => open('archive')}>
        {say('many.archive')}
      </Button>
      <span className="fill" />
      <Button size="small" kind="quiet" onPress={onClear}>
        {say('many.clear')}
      </Button>
      {deed !== null && (
        <ManyDialog
          deed={deed.kind}
          vehicles={deed.vehicles}
          onClose={(isDone) => {
            setDeed(null);
            if (isDone) onClear();
          }}
        />
      )}
    </div>
  );
}
