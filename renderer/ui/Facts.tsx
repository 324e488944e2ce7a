import { Fragment, type ReactNode } from 'react';

/** What is known of something, name by name; what is not known is left out. */
export function Facts({
  className = '',
  facts,
}: {
  className?: string;
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className={`facts ${className}`}>
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <Fragment key={name}>
              <dt className="quiet">{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
