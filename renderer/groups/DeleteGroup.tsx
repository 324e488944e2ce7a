import { useState } from 'react';
import type { Group } from '../../server/contract/groups.ts';
import { isProblem } from '../api/errors.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFoot } from '../ui/ModalFoot.tsx';
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
  const desk = useDesk();
  const say = useText();
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);

  const remove = async () => {
    setBusy(true);
    setSentence(null);
    try {
      await deleteGroup(desk, group);
      onClose();
    } catch (error) {
      if (isProblem(error, 'version_conflict')) await readGroup(desk, group.group_id).catch(() => undefined);
      if (isProblem(error, 'not_found')) desk.groups.remove([group.group_id]);
      setSentence(sentenceOf(error, say, { version_conflict: say('groups.conflict') }));
      setBusy(false);
    }
  };

  return (
    <Modal title={say('groups.delete_title', { name: group.name })} onClose={onClose} width={520}>
      <p>
        {vehicles > 0 && say('groups.delete_vehicles', { count: vehicles })}{' '}
        {group.user_ids.length > 0 && say('groups.delete_users', { count: group.user_ids.length })}{' '}
        {say('groups.delete_rules')}
      </p>
      <ModalFoot sentence={sentence} onCancel={onClose}>
        <Button kind="primary" disabled={busy} onPress={() => void remove()}>
          {say('groups.delete_do', { name: group.name })}
        </Button>
      </ModalFoot>
    </Modal>
  );
}
