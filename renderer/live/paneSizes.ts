import type { PreferenceStore } from '../settings/preferences.ts';

export type PaneName = 'list' | 'panel' | 'queue';

/** Folds a pane, or unfolds it; it comes back in the size that it had. */
export function foldPane(preferences: PreferenceStore, name: PaneName): void {
  preferences.setState(({ panes }) => {
    const pane = panes[name] ?? { size: 0, folded: false };
    return { panes: { ...panes, [name]: { ...pane, folded: !pane.folded } } };
  });
}

export function sizePane(preferences: PreferenceStore, name: PaneName, size: number): void {
  preferences.setState(({ panes }) => ({ panes: { ...panes, [name]: { size, folded: false } } }));
}
