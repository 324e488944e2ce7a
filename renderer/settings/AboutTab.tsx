import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { z } from 'zod';
import { Unreachable } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Facts } from '../ui/Facts.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { ProblemReportSection } from './ProblemReportDialog.tsx';
import './AboutTab.css';

/** What the build has written beside the page (server/build/licences.ts). */
const licenceList = z.object({
  version: z.string(),
  packages: z.array(
    z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }),
  ),
});
type LicenceList = z.infer<typeof licenceList>;

/** What this program is, and the licences of all that it shows and is made from. */
export function AboutTab() {
  const t = useT();
  const { mapList, user } = useAppContext();
  const { maps } = useStore(mapList.store);
  const { list, error, again } = useLicences();
  return (
    <div className="settings-page">
      <div className="settings">
        <section className="settings__section">
          <h2>{t('about.product')}</h2>
          <p className="quiet">{t('about.what')}</p>
          {list !== null && <Facts facts={[[t('about.version'), list.version]]} />}
        </section>
        {user.role === 'dealer' && <ProblemReportSection />}
        <section className="settings__section">
          <h2>{t('about.maps')}</h2>
          {maps.length === 0 && <p className="quiet">{t('about.no_maps')}</p>}
          <Facts
            facts={maps.map(
              (it) => [it.name, it.licence === '' ? t('maps.no_licence') : it.licence] as const,
            )}
          />
        </section>
        <section className="settings__section">
          <h2>{t('about.data')}</h2>
          <Facts
            facts={[
              ['Natural Earth', t('about.natural_earth')],
              ['GeoNames', t('about.geonames')],
              ['Inter, Noto Sans', t('about.fonts')],
            ]}
          />
        </section>
        <section className="settings__section">
          <h2>{t('about.packages')}</h2>
          {list === null && error === null && <p className="quiet">{t('about.loading')}</p>}
          {error !== null && (
            <LoadFailure
              title={t('about.failed')}
              stillWorks={t('about.still_works')}
              error={error}
              nextTryAt={null}
              onRetry={again}
            />
          )}
          {list !== null && (
            <ul className="about__packages" aria-label={t('about.packages')}>
              {list.packages.map(({ name, version, licence, text }) => (
                <li key={`${name} ${version}`}>
                  <details>
                    <summary>
                      {name} <span className="quiet">{`${version} · ${licence}`}</span>
                    </summary>
                    <pre className="about__text">{text}</pre>
                  </details>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  );
}

function useLicences(): { list: LicenceList | null; error: unknown; again: () => void } {
  const [state, setState] = useState<{ list: LicenceList | null; error: unknown }>({
    list: null,
    error: null,
  });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    readLicences(abort.signal).then(
      (list) => setState({ list, error: null }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ list: null, error });
      },
    );
    return () => abort.abort();
  }, [tries]);
  return { ...state, again: () => setTries((it) => it + 1) };
}

async function readLicences(signal: AbortSignal): Promise<LicenceList> {
  let response: Response;
  try {
    response = await fetch('licences.json', { signal });
  } catch (error) {
    throw new Unreachable('licences.json was not answered', { cause: error });
  }
  if (!response.ok) throw new Error(`licences.json answers ${response.status}`);
  return licenceList.parse(await response.json());
}
