/** Problem report in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'problem_report.about':
    'Un archivo con versiones, ajustes, estado y el registro reciente, para quien busque un fallo. Lo revisa antes de guardarlo y no se envía a nadie.',
  'problem_report.create': 'Crear informe de problema',
  'problem_report.failed': 'No se pudo crear el informe de problema.',
  'problem_report.heading': 'Informe de problema de Fleetdeck',
  'problem_report.loading': 'Creando el informe de problema',
  'problem_report.note': 'Qué ocurrió',
  'problem_report.note_about': 'Qué hizo, qué esperaba y qué vio. Deje vacío para omitirlo.',
  'problem_report.preview': 'Contenido del archivo',
  'problem_report.review':
    'Se omiten contraseñas, claves, JWT, direcciones de correo y números de teléfono. Revise el contenido, desmarque las secciones que no quiera entregar y guarde el archivo.',
  'problem_report.save': 'Guardar archivo',
  'problem_report.section.computer': 'Equipo',
  'problem_report.section.console': 'Consola',
  'problem_report.section.counts': 'Recuentos',
  'problem_report.section.desktop': 'Escritorio',
  'problem_report.section.health': 'Estado',
  'problem_report.section.log': 'Registro',
  'problem_report.section.metrics': 'Métricas',
  'problem_report.section.program': 'Programa',
  'problem_report.section.settings': 'Ajustes',
  'problem_report.section.storage': 'Almacenamiento',
  'problem_report.sections': 'Secciones',
  'problem_report.title': 'Informe de problema',
};
