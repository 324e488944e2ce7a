import { X } from 'lucide-react';
import { useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useLostSince } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf } from '../ui/formFaults.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { addGroup } from './groupActions.ts';

/** A new group; its vehicles and users come next, in its panel. */
export function NewGroup({ onClose, onAdded }: { onClose: () => void; onAdded: (group: Group) => void }) {
  const desk = useDesk();
  const say = useText();
  const lost = useLostSince() !== null;
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const mayAdd = name.trim() !== '' && !busy && !lost;

  const add = async () => {
    setBusy(true);
    setFault(null);
    try {
      onAdded(await addGroup(desk, name.trim()));
    } catch (error) {
      setFault(
        faultsOf(error)['name'] ?? sentenceOf(error, say, { already_exists: say('groups.name_taken') }),
      );
      setBusy(false);
    }
  };

  return (
    <section className="pane manage__side" aria-label={say('groups.add')} data-pane tabIndex={-1}>
      <div className="manage__side-head">
        <h2 className="fill">{say('groups.add')}</h2>
        <IconButton icon={X} label={say('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <form
        className="manage__section"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayAdd) void add();
        }}
      >
        <TextField
          label={say('vehicle.name')}
          value={name}
          onChange={setName}
          fault={fault}
          hint={say('groups.add_hint')}
          required
          autoFocus
          maxLength={120}
        />
        <div className="manage__buttons">
          <Button kind="primary" submits disabled={!mayAdd}>
            {say('groups.add')}
          </Button>
          <Button onPress={onClose}>{say('ui.cancel')}</Button>
        </div>
      </form>
    </section>
  );
}
