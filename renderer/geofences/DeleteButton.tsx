import { useState } from 'react';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';

/** Asks once more in its own place: no dialog over the map. */
export function DeleteButton({ busy, onDelete }: { busy: boolean; onDelete: () => void }) {
  const t = useT();
  const [asked, setAsked] = useState(false);
  return asked ? (
    <>
      <Button disabled={busy} onPress={onDelete}>
        {t('geofence.delete_really')}
      </Button>
      <Button kind="quiet" onPress={() => setAsked(false)}>
        {t('geofence.keep')}
      </Button>
    </>
  ) : (
    <Button disabled={busy} onPress={() => setAsked(true)}>
      {t('geofence.delete')}
    </Button>
  );
}
