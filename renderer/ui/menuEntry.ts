export interface MenuEntry {
  id: string;
  label: string;
  keycap?: string | null;
  disabled?: boolean;
  run?: () => void;
  /** A link out of the console, in place of `run`. */
  href?: string;
}

/** A menu at a point of the page, in pixels from its left top corner. */
export interface ContextMenuState {
  x: number;
  y: number;
  /** Spoken. */
  label: string;
  sections: readonly (readonly MenuEntry[])[];
}
