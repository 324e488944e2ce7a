import type { ReactNode } from 'react';
import { Button, MenuTrigger, Popover } from 'react-aria-components';
import { MenuEntries } from './MenuEntries.tsx';
import type { MenuEntry } from './menuEntry.ts';

/** A button that opens a menu of commands. */
export function MenuButton({
  label,
  children,
  entries,
  size = 'small',
}: {
  label: string;
  children: ReactNode;
  entries: readonly MenuEntry[];
  size?: 'normal' | 'small';
}) {
  return (
    <MenuTrigger>
      <Button className={`icon-button icon-button--${size}`} aria-label={label}>
        {children}
      </Button>
      <Popover className="popover" offset={4} placement="bottom end">
        <MenuEntries label={label} sections={[entries]} />
      </Popover>
    </MenuTrigger>
  );
}
