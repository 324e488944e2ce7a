import { Check, CircleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useT } from '../i18n/useT.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import type { Toast, ToastStore } from './toastStore.ts';
import './ToastRegion.css';

const SHOWN_MS = 8_000;

/** The one toast, bottom right; it goes after 8 s, not while the pointer is on it. */
export function ToastRegion({ store }: { store: ToastStore }) {
  const toast = useStore(store, (state) => state.toast);
  return (
    <div className="toast-region" role="status">
      {toast !== null && (
        <ToastLine key={toast.text} toast={toast} onDone={() => store.setState({ toast: null })} />
      )}
    </div>
  );
}

function ToastLine({ toast, onDone }: { toast: Toast; onDone: () => void }) {
  const t = useT();
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(onDone, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [paused, onDone]);
  return (
    <div className="toast" onPointerEnter={() => setPaused(true)} onPointerLeave={() => setPaused(false)}>
      <Icon of={toast.isTrouble ? CircleAlert : Check} />
      <span>{toast.text}</span>
      {toast.action !== null && (
        <Button
          size="small"
          onPress={() => {
            toast.action?.run();
            onDone();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton icon={X} size="small" label={t('ui.dismiss')} onPress={onDone} />
    </div>
  );
}
