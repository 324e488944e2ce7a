import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import './Notice.css';

/** The empty or failed state of a pane: what is so, in a sentence or two, and the next step as buttons. */
export function Notice({
  icon,
  title,
  children,
  actions,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="notice">
      {icon !== undefined && <Icon of={icon} size={24} />}
      <h3 className="notice__title">{title}</h3>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="notice__actions">{actions}</div>}
    </div>
  );
}
