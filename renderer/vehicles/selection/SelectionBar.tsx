import { ChevronUp, X } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { openMenu } from '../../commands/contextMenus.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { clearVehicles } from './vehicleSelection.ts';

/** How many vehicles are selected, what can be done with them, and the way out; nothing while none is. */
export function SelectionBar({ notShown = 0 }: { notShown?: number }) {
  const app = useAppContext();
  const t = useT();
  const count = useStore(app.view, (state) => state.selectedIds.size);
  if (count === 0) return null;
  return (
    <div className="selection-bar" role="group" aria-label={t('many.title', { count })}>
      <span className="strong" role="status">
        {t('picked.selected', { count })}
      </span>
      {notShown > 0 && (
        <span className="faint small ellipsis">{t('picked.not_shown', { count: notShown })}</span>
      )}
      <span className="fill" />
      <SelectionMenu />
      <IconButton
        icon={X}
        size="small"
        label={t('picked.clear')}
        keycap="Esc"
        onPress={() => clearVehicles(app)}
      />
    </div>
  );
}

/** A button that opens the menu of the selected vehicles. */
export function SelectionMenu() {
  const app = useAppContext();
  const t = useT();
  const place = useRef<HTMLSpanElement>(null);
  const count = useStore(app.view, (state) => state.selectedIds.size);
  const open = () => {
    const { left, bottom } = place.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
    openMenu(app, 'vehicles', { x: left, y: bottom }, t('picked.selected', { count }));
  };
  return (
    <span ref={place}>
      <Button size="small" icon={ChevronUp} onPress={open}>
        {t('picked.actions')}
      </Button>
    </span>
  );
}
