import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { KeyTable } from '../commands/KeyTable.tsx';
import { useT } from '../i18n/useT.ts';
import { DepotSettings } from '../settings/DepotSettings.tsx';
import { ApiTokensTab } from '../users/ApiTokens.tsx';
import { SETTINGS_PARTS } from './settingsParts.ts';
import '../ui/manage.css';
import './UsersScreen.css';
import './SettingsScreen.css';

const { language, terminals, maps, audit, about } = SETTINGS_PARTS;

/** What can be set, the maps, the API tokens, and what the program is made from; dealers also see where terminals come in, what they say, and the audit log. */
export function SettingsScreen() {
  const app = useAppContext();
  const t = useT();
  const isDealer = app.user.role === 'dealer';
  const tab = useStore(app.navigation.store, ({ query }) => {
    const wanted = query['tab'];
    return wanted === 'api_tokens' ||
      wanted === 'keys' ||
      wanted === 'language' ||
      wanted === 'maps' ||
      wanted === 'about' ||
      (isDealer && (wanted === 'terminals' || wanted === 'audit'))
      ? wanted
      : 'depot';
  });
  return (
    <Tabs
      className="pane settings-screen"
      selectedKey={tab}
      onSelectionChange={(key) => app.navigation.go('settings', key === 'depot' ? {} : { tab: String(key) })}
    >
      <section className="manage__tabs" aria-label={t('rail.settings')} data-pane tabIndex={-1}>
        <Head>
          <TabList className="manage__tab-list" aria-label={t('settings.tabs')}>
            <Tab id="depot" className="manage__tab">
              {t('settings.general')}
            </Tab>
            <Tab id="language" className="manage__tab">
              {t('language.title')}
            </Tab>
            {isDealer && (
              <Tab id="terminals" className="manage__tab">
                {t('intake.title')}
              </Tab>
            )}
            <Tab id="maps" className="manage__tab">
              {t('maps.title')}
            </Tab>
            <Tab id="api_tokens" className="manage__tab">
              {t('api_tokens.tab')}
            </Tab>
            <Tab id="keys" className="manage__tab">
              {t('keys.tab')}
            </Tab>
            {isDealer && (
              <Tab id="audit" className="manage__tab">
                {t('audit.title')}
              </Tab>
            )}
            <Tab id="about" className="manage__tab">
              {t('about.title')}
            </Tab>
          </TabList>
        </Head>
        <TabPanel id="depot" className="manage__body">
          <DepotSettings />
        </TabPanel>
        <TabPanel id="language" className="manage__body">
          <language.Part />
        </TabPanel>
        {isDealer && (
          <TabPanel id="terminals" className="manage__body">
            <terminals.Part />
          </TabPanel>
        )}
        <TabPanel id="maps" className="manage__body">
          <maps.Part />
        </TabPanel>
        <TabPanel id="api_tokens" className="manage__body">
          <ApiTokensTab />
        </TabPanel>
        <TabPanel id="keys" className="manage__body settings-screen__keys">
          <KeyTable />
        </TabPanel>
        {isDealer && (
          <TabPanel id="audit" className="manage__body">
            <audit.Part />
          </TabPanel>
        )}
        <TabPanel id="about" className="manage__body">
          <about.Part />
        </TabPanel>
      </section>
    </Tabs>
  );
}

function Head({ children }: { children?: ReactNode }) {
  const t = useT();
  return (
    <div className="pane__head settings-screen__head">
      <h1>{t('rail.settings')}</h1>
      {children}
    </div>
  );
}
