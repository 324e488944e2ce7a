/** Fleetdeck's own mark: a vehicle in its brackets. */
export function BrandMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path d="M12 3L18.5 20L12 16L5.5 20Z" fill="currentColor" />
      <path d="M2 8V2H8M22 8V2H16" fill="none" stroke="var(--accent)" strokeWidth={1.6} />
    </svg>
  );
}
