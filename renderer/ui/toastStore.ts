import { createStore, type StoreApi } from 'zustand/vanilla';

export interface Toast {
  text: string;
  /** It did not work out. */
  isTrouble: boolean;
  /** What can be done about it. */
  action: { label: string; run: () => void } | null;
}

/** At most one, for what finished elsewhere; never for what the operator just did (LOOKS 5). */
export type ToastStore = StoreApi<{ toast: Toast | null }>;

export const createToastStore = (): ToastStore =>
  createStore<{ toast: Toast | null }>(() => ({ toast: null }));
