/** Puts the focus on the next (1) or previous (-1) pane of the page, in the order of the page. */
export function stepPane(page: Document, step: 1 | -1): void {
  const panes = [...page.querySelectorAll<HTMLElement>('[data-pane]')];
  if (panes.length === 0) return;
  const at = panes.findIndex((pane) => pane.contains(page.activeElement));
  const next = at === -1 ? (step === 1 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length;
  const pane = panes[next];
  // The part of a pane that takes keys, where it has one.
  (pane?.querySelector<HTMLElement>('[role=listbox], [role=list], .maplibregl-canvas') ?? pane)?.focus();
}
