/** Problem report in Russian. */
export const texts: Readonly<Record<string, string>> = {
  'problem_report.about':
    'Файл с версиями, настройками, состоянием и недавним журналом для того, кто ищет неисправность. Вы просматриваете его до сохранения; никому он не отправляется.',
  'problem_report.create': 'Создать отчёт о неполадке',
  'problem_report.failed': 'Не удалось создать отчёт о неполадке.',
  'problem_report.heading': 'Отчёт о неполадке Fleetdeck',
  'problem_report.loading': 'Создание отчёта о неполадке',
  'problem_report.note': 'Что произошло',
  'problem_report.note_about': 'Что вы делали, чего ожидали и что увидели. Пусто: не включать.',
  'problem_report.preview': 'Содержание файла',
  'problem_report.review':
    'Пароли, ключи, JWT, адреса почты и телефоны исключены. Проверьте содержание, снимите разделы, которые не хотите передавать, и сохраните файл.',
  'problem_report.save': 'Сохранить файл',
  'problem_report.section.computer': 'Компьютер',
  'problem_report.section.console': 'Консоль',
  'problem_report.section.counts': 'Количества',
  'problem_report.section.desktop': 'Рабочий стол',
  'problem_report.section.health': 'Состояние',
  'problem_report.section.log': 'Журнал',
  'problem_report.section.metrics': 'Показатели',
  'problem_report.section.program': 'Программа',
  'problem_report.section.settings': 'Настройки',
  'problem_report.section.storage': 'Хранилище',
  'problem_report.sections': 'Разделы',
  'problem_report.title': 'Отчёт о неполадке',
};
