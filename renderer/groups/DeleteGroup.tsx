import { useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { isProblem } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { deleteGroup, readGroup } from './groupActions.ts';

/** Says what follows from deleting a group, and does it. */
export function DeleteGroup({
  group,
  vehicles,
  onClose,
}: {
  group: Group;
  /** How many are in it. */
  vehicles: number;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const remove = async () => {
    setBusy(true);
    setSentence(null);
    try {
      await deleteGroup(app, group);
      onClose();
    } catch (error) {
      if (isProblem(error, 'version_conflict')) await readGroup(app, group.group_id).catch(() => undefined);
      if (isProblem(error, 'not_found')) app.groups.remove([group.group_id]);
      setSentence(sentenceOf(error, t, { version_conflict: t('groups.conflict') }));
      setBusy(false);
    }
  };

  return (
    <Modal title={t('groups.delete_title', { name: group.name })} onClose={onClose} width={520}>
      <p>
        {vehicles > 0 && t('groups.delete_vehicles', { count: vehicles })}{' '}
        {group.user_ids.length > 0 && t('groups.delete_users', { count: group.user_ids.length })}{' '}
        {t('groups.delete_rules')}
      </p>
      <ModalFooter sentence={sentence} onCancel={onClose}>
        <Button kind="primary" disabled={busy} onPress={() => void remove()}>
          {t('groups.delete_do', { name: group.name })}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
