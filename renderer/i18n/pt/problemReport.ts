/** Problem reports in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'problem_report.about':
    'Um arquivo com versões, configurações, estado e o log recente, para quem procura uma falha. Você o revisa antes de salvar e ele não é enviado a ninguém.',
  'problem_report.create': 'Criar relatório de problema',
  'problem_report.failed': 'Não foi possível criar o relatório de problema.',
  'problem_report.heading': 'Relatório de problema do Fleetdeck',
  'problem_report.loading': 'Criando o relatório de problema',
  'problem_report.note': 'O que aconteceu',
  'problem_report.note_about':
    'O que você fez, o que esperava e o que viu. Deixe em branco para não incluir.',
  'problem_report.preview': 'Conteúdo do arquivo',
  'problem_report.review':
    'Senhas, chaves, JWTs, endereços de e-mail e telefones não são incluídos. Confira o conteúdo, desmarque as seções que não quer repassar e salve o arquivo.',
  'problem_report.save': 'Salvar arquivo',
  'problem_report.section.computer': 'Computador',
  'problem_report.section.console': 'Console',
  'problem_report.section.counts': 'Contagens',
  'problem_report.section.desktop': 'Desktop',
  'problem_report.section.health': 'Estado',
  'problem_report.section.log': 'Log',
  'problem_report.section.metrics': 'Métricas',
  'problem_report.section.program': 'Programa',
  'problem_report.section.settings': 'Ajustes',
  'problem_report.section.storage': 'Armazenamento',
  'problem_report.sections': 'Seções',
  'problem_report.title': 'Relatório de problema',
};
