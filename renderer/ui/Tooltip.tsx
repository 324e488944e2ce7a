import type { ReactElement } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components';
import { Kbd } from './Kbd.tsx';
import './Tooltip.css';

/** Names what an icon does, and its key, on hover and on focus. */
export function Tip({
  text,
  keycap = null,
  children,
}: {
  text: string;
  keycap?: string | null;
  children: ReactElement;
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Tooltip className="tip" offset={6}>
        {text}
        {keycap !== null && <Kbd>{keycap}</Kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
