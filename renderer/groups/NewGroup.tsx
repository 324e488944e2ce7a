import { X } from 'lucide-react';
import { useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf } from '../ui/formFaults.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { addGroup } from './groupActions.ts';

/** A new group; its vehicles and users come next, in its panel. */
export function NewGroup({ onClose, onAdded }: { onClose: () => void; onAdded: (group: Group) => void }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const mayAdd = name.trim() !== '' && !busy && !lost;

  const add = async () => {
    setBusy(true);
    setFault(null);
    try {
      onAdded(await addGroup(app, name.trim()));
    } catch (error) {
      setFault(faultsOf(error)['name'] ?? sentenceOf(error, t, { already_exists: t('groups.name_taken') }));
      setBusy(false);
    }
  };

  return (
    <section className="pane manage__side" aria-label={t('groups.add')} data-pane tabIndex={-1}>
      <div className="manage__side-head">
        <h2 className="fill">{t('groups.add')}</h2>
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <form
        className="manage__section"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayAdd) void add();
        }}
      >
        <TextField
          label={t('vehicle.name')}
          value={name}
          onChange={setName}
          fault={fault}
          hint={t('groups.add_hint')}
          required
          autoFocus
          maxLength={120}
        />
        <div className="manage__buttons">
          <Button kind="primary" submits disabled={!mayAdd}>
            {t('groups.add')}
          </Button>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
        </div>
      </form>
    </section>
  );
}
