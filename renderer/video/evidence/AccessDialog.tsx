import type { Task } from '../../../server/contract/video.ts';
import { useT } from '../../i18n/useT.ts';
import { Modal } from '../../ui/Modal.tsx';
import { AccessList } from './AccessList.tsx';

/** Who had the videos of an order in hand. */
export function AccessDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose: () => void }) {
  const t = useT();
  return (
    <Modal title={t('evidence.access')} onClose={onClose} width={520}>
      <AccessList taskIds={tasks.map((it) => it.task_id)} />
    </Modal>
  );
}
