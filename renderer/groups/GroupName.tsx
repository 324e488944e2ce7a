import { useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { isProblem } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';
import { readGroup, renameGroup } from './groupActions.ts';

/** The name of a group, to be changed. */
export function GroupName({ group, disabled }: { group: Group; disabled: boolean }) {
  const app = useAppContext();
  const t = useT();
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const name = typed ?? group.name;
  const isChanged = name.trim() !== group.name && name.trim() !== '';

  const save = async () => {
    setBusy(true);
    setFault(null);
    try {
      await renameGroup(app, group, name.trim());
      setTyped(null);
    } catch (error) {
      if (isProblem(error, 'version_conflict')) await readGroup(app, group.group_id).catch(() => undefined);
      setFault(
        faultsOf(error)['name'] ??
          sentenceOf(error, t, {
            already_exists: t('groups.name_taken'),
            version_conflict: t('groups.conflict'),
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
        label={t('vehicle.name')}
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
            {t('groups.rename')}
          </Button>
          <Button onPress={() => setTyped(null)}>{t('ui.cancel')}</Button>
        </div>
      )}
    </form>
  );
}
