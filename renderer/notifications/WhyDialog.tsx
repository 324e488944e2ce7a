import type { Notification } from '../../server/contract/notifications.ts';
import { useText } from '../i18n/useText.ts';
import { Modal } from '../ui/Modal.tsx';
import { WhyView } from './WhyView.tsx';

/** Why an alarm fired, over the screen that it was asked from. */
export function WhyDialog({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const say = useText();
  return (
    <Modal title={say('why.title')} onClose={onClose} width={640}>
      <WhyView notification={notification} />
    </Modal>
  );
}
