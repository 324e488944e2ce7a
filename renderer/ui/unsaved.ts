import { createContext, useContext, useLayoutEffect, useState } from 'react';

/** What was typed into a form or a dialog and would be lost with it; `discard` throws away what outlives it. */
interface UnsavedInput {
  discard: () => void;
}

/** What closes a form or a dialog: with unsaved input in it, it asks first. */
interface CloseGuard {
  inputs: Set<UnsavedInput>;
  isDialog: boolean;
  close: (onClose: () => void) => void;
}

export const CloseGuardContext = createContext<CloseGuard>({
  inputs: new Set(),
  isDialog: false,
  close: (onClose) => onClose(),
});

/** Has whatever closes this form ask first while there is unsaved input. */
export function useUnsaved(isUnsaved: boolean, discard?: () => void): void {
  const { inputs } = useContext(CloseGuardContext);
  // At once: an Escape right after the input is saved must not ask about it.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const input = { discard: () => discard?.() };
    inputs.add(input);
    return () => void inputs.delete(input);
  });
}

/** The same for a field of a dialog, which counts as unsaved while it is not as the dialog was opened with it. */
export function useUnsavedField(value: string): void {
  const { isDialog } = useContext(CloseGuardContext);
  const [first] = useState(value);
  useUnsaved(isDialog && value !== first);
}
