import type { Notification } from '../../server/contract/notifications.ts';
import { useT } from '../i18n/useT.ts';
import { Modal } from '../ui/Modal.tsx';
import { WhyView } from './WhyView.tsx';

/** Why an alarm fired, over the screen that it was asked from. */
export function WhyDialog({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const t = useT();
  return (
    <Modal title={t('why.title')} onClose={onClose} width={640}>
      <WhyView notification={notification} />
    </Modal>
  );
}
