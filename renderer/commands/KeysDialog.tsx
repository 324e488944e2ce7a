import { useT } from '../i18n/useT.ts';
import { Modal } from '../ui/Modal.tsx';
import { KeyTable } from './KeyTable.tsx';

/** Every key, by what it is for. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Modal title={t('keys.title')} onClose={onClose} width={640}>
      <KeyTable />
    </Modal>
  );
}
