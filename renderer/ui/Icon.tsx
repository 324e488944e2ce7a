import type { LucideIcon } from 'lucide-react';

/** An icon as decoration: what it means stands beside it or in its button's label. */
export function Icon({ of: Shape, size = 16 }: { of: LucideIcon; size?: 16 | 20 | 24 }) {
  return <Shape size={size} strokeWidth={1.5} aria-hidden focusable={false} className="icon" />;
}
