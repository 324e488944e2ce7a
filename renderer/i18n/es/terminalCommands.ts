/** Commands to terminals in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'terminal.again': 'Reenviar',
  'terminal.again_of': 'Reenviar {{what}}',
  'terminal.asked_position': 'Solicitud de posición',
  'terminal.by': '{{time}}, {{user}}',
  'terminal.cancel_of': 'Cancelar el comando {{what}}',
  'terminal.cancel_too_late': 'Ya se envió y no se puede cancelar.',
  'terminal.empty': 'Aún no se han enviado comandos a este terminal.',
  'terminal.failed': 'No se pudieron cargar los comandos',
  'terminal.failed_still': 'Aún se pueden enviar comandos nuevos.',
  'terminal.response_empty': 'Respuesta vacía.',
  'terminal.response_of': 'Respuesta a {{what}}',
  'terminal.failed_stale': 'No se pudieron recargar los comandos. Estos son los últimos conocidos.',
  'terminal.hint':
    'Sintaxis de comandos del terminal; puede reconfigurarlo o detenerlo. Flecha arriba: historial.',
  'terminal.kind': 'Tipo de comando',
  'terminal.kind.position': 'Solicitar posición',
  'terminal.kind.text': 'Texto',
  'terminal.last': 'Últimos comandos',
  'terminal.loading': 'Cargando los últimos comandos',
  'terminal.not_sent':
    'Sin respuesta. Puede que el comando se haya aceptado; reenviar es seguro, se envía una sola vez.',
  'terminal.of': 'Terminal {{terminal}}',
  'terminal.older': 'Mostrar anteriores',
  'terminal.older_failed': 'No se pudieron cargar los anteriores.',
  'terminal.send': 'Enviar',
  'terminal.stale': 'Los comandos se pueden enviar al reconectar. Su texto se conserva.',
  'terminal.still_sending':
    'El comando anterior aún se está enviando. Su texto se conserva; envíelo de nuevo en un momento.',
  'terminal.text': 'Texto para el terminal',
  'terminal.title': 'Comando a {{vehicle}}',
};
