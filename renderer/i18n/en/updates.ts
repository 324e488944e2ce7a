/** Messages of updates of the desktop. */
export const updatesTexts = {
  'updates.about':
    'New versions of Fleetdeck for this computer. Before one is installed, the server is backed up and the installer of this version is kept. If the new version fails to start three times, both are restored.',
  'updates.by_itself': 'Install automatically',
  'updates.by_itself_about':
    'In the hour of the check, and only while no alarm is open and no video is being fetched. Fleetdeck restarts.',
  'updates.check': 'Check now',
  'updates.checked': 'Checked',
  'updates.failed': 'The updates of this computer could not be loaded.',
  'updates.hour': 'Check daily at',
  'updates.install': 'Install and restart',
  'updates.install_confirm': 'Restart now?',
  'updates.key': 'Public key',
  'updates.key_about':
    'Ed25519, 32 bytes in base64. Only versions that are signed by its private key are installed.',
  'updates.loading': 'Loading',
  'updates.on': 'Check for updates',
  'updates.on_about': 'Off: this computer asks no server for updates.',
  'updates.save': 'Save',
  'updates.state.checking': 'Checking',
  'updates.state.downloading': 'Downloading version {{found}}: {{percent}} %',
  'updates.state.failed': 'The last check failed. {{reason}}',
  'updates.state.idle': 'Version {{version}}. Not checked yet.',
  'updates.state.installing': 'Installing version {{found}}. Fleetdeck restarts.',
  'updates.state.ready': 'Version {{found}} is downloaded and verified.',
  'updates.state.refused': 'An update was refused. {{reason}}',
  'updates.state.up_to_date': 'Version {{version}} is up to date.',
  'updates.title': 'Updates',
  'updates.url': 'Address',
  'updates.url_about': 'Of the folder with latest.yml, latest.yml.sig and the installers, with https://',
} as const;
