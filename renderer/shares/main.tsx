import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { z } from 'zod';
import '../theme/fonts.ts';
import '../theme/tokens.css';
import '../base.css';
import { languageOfTags } from '../../server/contract/languages.ts';
import { shareTokenHeader } from '../../server/contract/shares.ts';
import { createApi } from '../api/client.ts';
import { createTransport } from '../api/transport.ts';
import { systemClock } from '../clock/clock.ts';
import { createI18n, loadLaterTexts } from '../i18n/text.ts';
import { createSpeak } from '../i18n/speak.ts';
import { createSharedVehicle } from './sharedVehicle.ts';
import { SharePage } from './SharePage.tsx';

// The content security policy allows no code made at run time, which zod would otherwise make.
z.config({ jitless: true });

const element = document.getElementById('console');
if (element === null) throw new Error('the page has no place for the vehicle');
const isLight = window.matchMedia('(prefers-color-scheme: light)').matches;
document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark';

// Nobody is logged in: the link alone shows the vehicle.
const nobody = () => Promise.reject(new Error('the page of a link has no JWT'));
const token = window.location.hash.slice(1);
const transport = createTransport({ fetch: window.fetch.bind(window), clock: systemClock });
const api = createApi({
  // In a header, since proxies write the paths of calls to their logs.
  transport: { send: (route, asked) => transport.send(route, asked, { [shareTokenHeader]: token }) },
  tokens: {
    current: nobody,
    renew: nobody,
    grant: () => undefined,
    resume: nobody,
    end: () => undefined,
    sessionId: () => null,
  },
});
const texts = createI18n();
const speak = createSpeak(texts, () => languageOfTags(navigator.languages), document.documentElement);
// A language that cannot be loaded leaves the English texts, which are part of the page.
await Promise.all([loadLaterTexts(), speak({})]);

// Another link that is opened in the same tab differs behind the # alone, for which no browser loads the page anew.
window.addEventListener('hashchange', () => window.location.reload());

const shared = createSharedVehicle({ api, clock: systemClock, token });
shared.start();
createRoot(element).render(
  <I18nextProvider i18n={texts}>
    <SharePage shared={shared} />
  </I18nextProvider>,
);
