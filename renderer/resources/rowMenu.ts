import type { AppContext } from '../appContext/appContext.ts';
import type { TextKey } from '../i18n/text.ts';
import { shareLink } from '../navigation/appLinks.ts';

/** What may be done with a row: its label, and what it does; null: not with this one. */
export type RowAction = readonly [label: TextKey, run: () => void] | null;

/** Selects a row of a list of what people set up, and opens a menu of what may be done with it; each has a link. */
export function openRowMenu(
  app: AppContext,
  { id, name }: { id: string; name: string },
  { x, y }: { x: number; y: number },
  actions: readonly RowAction[] = [],
): boolean {
  app.navigation.note({ id });
  const copyLink = () => {
    const { place, query } = app.navigation.store.getState();
    const { tab } = query;
    void app.platform.copyText(shareLink(app, place, tab === undefined ? { id } : { tab, id }));
  };
  const all: readonly RowAction[] = [...actions, ['resources.copy_link', copyLink]];
  const entries = all.flatMap((it) => (it === null ? [] : { id: it[0], label: app.t(it[0]), run: it[1] }));
  app.view.setState({
    contextMenu: { x, y, label: app.t('menu_of.vehicle', { name }), sections: [entries] },
  });
  return true;
}
