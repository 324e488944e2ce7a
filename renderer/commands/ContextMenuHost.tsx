import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { ContextMenu } from '../ui/ContextMenu.tsx';

/** The context menu of the page, one at a time. */
export function ContextMenuHost() {
  const { view } = useAppContext();
  const menu = useStore(view, (state) => state.contextMenu);
  if (menu === null) return null;
  const key = `${menu.x} ${menu.y} ${menu.label}`;
  return <ContextMenu key={key} menu={menu} onClose={() => view.setState({ contextMenu: null })} />;
}
