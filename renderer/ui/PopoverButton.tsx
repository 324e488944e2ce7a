import type { LucideIcon } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { IconButton } from './IconButton.tsx';

/** A small button that opens a panel above itself; pressed again it closes it. */
export function PopoverButton({
  icon,
  label,
  on = false,
  className,
  children,
}: {
  icon: LucideIcon;
  label: string;
  /** What it holds is in force, also while it is closed. */
  on?: boolean;
  className: string;
  children: (close: () => void) => ReactNode;
}) {
  const button = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span ref={button}>
        <IconButton
          icon={icon}
          size="small"
          label={label}
          pressed={isOpen || on}
          onPress={() => setOpen(!isOpen)}
        />
      </span>
      <Popover
        className="popover"
        triggerRef={button}
        placement="top end"
        offset={4}
        isOpen={isOpen}
        shouldCloseOnInteractOutside={(element) => button.current?.contains(element) !== true}
        onOpenChange={setOpen}
      >
        <Dialog className={className} aria-label={label}>
          {children(() => setOpen(false))}
        </Dialog>
      </Popover>
    </>
  );
}
