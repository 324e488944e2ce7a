import { useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { isProblem } from '../api/errors.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';
import { readGroup, renameGroup } from './groupActions.ts';

/** The name of a group, to be changed. */
export function GroupName({ group, disabled }: { group: Group; disabled: boolean }) {
  const desk = useDesk();
  const say = useText();
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const name = typed ?? group.name;
  const isChanged = name.trim() !== group.name && name.trim() !== '';

  const save = async () => {
    setBusy(true);
    setFault(null);
    try {
      await renameGroup(desk, group, name.trim());
      setTyped(null);
    } catch (error) {
      if (isProblem(error, 'version_conflict')) await readGroup(desk, group.group_id).catch(() => undefined);
      setFault(
        faultsOf(error)['name'] ??
          sentenceOf(error, say, {
            already_exists: say('groups.name_taken'),
            version_conflict: say('groups.conflict'),
          }),
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className="form-column"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !busy && !disabled) void save();
      }}
    >
      <TextField
        label={say('vehicle.name')}
        value={name}
        onChange={(next) => {
          setTyped(next);
          setFault(null);
        }}
        fault={fault}
        required
        maxLength={120}
      />
      {isChanged && (
        <div className="manage__buttons">
          <Button kind="primary" submits disabled={busy || disabled}>
            {say('groups.rename')}
          </Button>
          <Button onPress={() => setTyped(null)}>{say('ui.cancel')}</Button>
        </div>
      )}
    </form>
  );
}
