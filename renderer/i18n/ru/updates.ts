/** Updates in Russian. */
export const texts: Readonly<Record<string, string>> = {
  'updates.about':
    'Новые версии Fleetdeck для этого компьютера. Перед установкой создаётся копия сервера и сохраняется установщик этой версии. Если новая версия трижды не запустится, восстановится и то и другое.',
  'updates.by_itself': 'Устанавливать автоматически',
  'updates.by_itself_about':
    'В час проверки и только пока нет открытых тревог и не загружается видео. Fleetdeck перезапускается.',
  'updates.check': 'Проверить сейчас',
  'updates.checked': 'Проверено',
  'updates.failed': 'Не удалось загрузить обновления этого компьютера.',
  'updates.hour': 'Проверять ежедневно в',
  'updates.install': 'Установить и перезапустить',
  'updates.install_confirm': 'Перезапустить сейчас?',
  'updates.key': 'Открытый ключ',
  'updates.key_about':
    'Ed25519, 32 байта в base64. Устанавливаются только версии, подписанные его закрытым ключом.',
  'updates.loading': 'Загрузка',
  'updates.on': 'Искать обновления',
  'updates.on_about': 'Выключено: этот компьютер ни у кого не спрашивает об обновлениях.',
  'updates.save': 'Сохранить',
  'updates.state.checking': 'Проверка',
  'updates.state.downloading': 'Загрузка версии {{found}}: {{percent}} %',
  'updates.state.failed': 'Последняя проверка не удалась. {{reason}}',
  'updates.state.idle': 'Версия {{version}}. Ещё не проверялась.',
  'updates.state.installing': 'Установка версии {{found}}. Fleetdeck перезапускается.',
  'updates.state.ready': 'Версия {{found}} загружена и проверена.',
  'updates.state.refused': 'Обновление отклонено. {{reason}}',
  'updates.state.up_to_date': 'Версия {{version}} – последняя.',
  'updates.title': 'Обновления',
  'updates.url': 'Адрес',
  'updates.url_about': 'Папки с latest.yml, latest.yml.sig и установщиками, с https://',
};
