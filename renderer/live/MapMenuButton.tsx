import type { LucideIcon } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Command } from '../commands/command.ts';
import { useT } from '../i18n/useT.ts';
import { CommandTool } from './CommandTool.tsx';
import type { MapMenu } from './liveView.ts';

/** A tool of the map that opens a menu beside it; its key does the same. */
export function MapMenuButton({
  menu,
  icon,
  command,
  className,
  children,
}: {
  menu: MapMenu;
  icon: LucideIcon;
  command: Command;
  className: string;
  children: ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const button = useRef<HTMLSpanElement>(null);
  const isOpen = useStore(app.view, (state) => state.mapMenu === menu);
  return (
    <>
      <span ref={button}>
        <CommandTool icon={icon} command={command} pressed={isOpen} />
      </span>
      <Popover
        className="popover"
        triggerRef={button}
        placement="left top"
        offset={4}
        isOpen={isOpen}
        shouldCloseOnInteractOutside={(element) => button.current?.contains(element) !== true}
        onOpenChange={(open) => app.view.setState({ mapMenu: open ? menu : null })}
      >
        <Dialog className={className} aria-label={t(command.label)}>
          {children}
        </Dialog>
      </Popover>
    </>
  );
}
