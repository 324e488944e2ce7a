import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { BulkActionDialog, type BulkAction } from './BulkActionDialog.tsx';

/** What can be done to all vehicles that are ticked. */
export function BulkActionBar({ vehicles, onClear }: { vehicles: readonly Vehicle[]; onClear: () => void }) {
  const t = useT();
  const lost = useLostSince() !== null;
  const [action, setAction] = useState<{ kind: BulkAction; vehicles: readonly Vehicle[] } | null>(null);
  const open = (kind: BulkAction) => setAction({ kind, vehicles });
  return (
    <div className="manage__foot" role="group" aria-label={t('many.title', { count: vehicles.length })}>
      <span className="strong">{t('many.title', { count: vehicles.length })}</span>
      <Button size="small" disabled={lost} onPress={() => open('join')}>
        {t('many.join')}
      </Button>
      <Button size="small" disabled={lost} onPress={() => open('leave')}>
        {t('many.leave')}
      </Button>
      <Button size="small" disabled={lost} onPress={() => open('archive')}>
        {t('many.archive')}
      </Button>
      <span className="fill" />
      <Button size="small" kind="quiet" onPress={onClear}>
        {t('many.clear')}
      </Button>
      {action !== null && (
        <BulkActionDialog
          action={action.kind}
          vehicles={action.vehicles}
          onClose={(isDone) => {
            setAction(null);
            if (isDone) onClear();
          }}
        />
      )}
    </div>
  );
}
