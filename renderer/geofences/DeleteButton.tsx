import { useState } from 'react';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';

/** Asks once more in its own place: no dialog over the map. */
export function DeleteButton({ busy, onDelete }: { busy: boolean; onDelete: () => void }) {
  const say = useText();
  const [asked, setAsked] = useState(false);
  return asked ? (
    <>
      <Button disabled={busy} onPress={onDelete}>
        {say('fence.delete_really')}
      </Button>
      <Button kind="quiet" onPress={() => setAsked(false)}>
        {say('fence.keep')}
      </Button>
    </>
  ) : (
    <Button disabled={busy} onPress={() => setAsked(true)}>
      {say('fence.delete')}
    </Button>
  );
}
