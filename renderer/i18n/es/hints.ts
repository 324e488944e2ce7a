/** Hints for who is new, in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'hint.got_it': 'Entendido',
  'hint.hide_all': 'Ocultar todos',
  'hint.history.text':
    'Arrastre la hora en Historial: todos los vehículos están donde estaban entonces, con sus recorridos y eventos.',
  'hint.history.title': 'La flota en cualquier momento pasado',
  'hint.keys.text': 'Cada acción tiene una tecla. Puede cambiarlas en Ajustes.',
  'hint.keys.title': 'Todas las teclas de un vistazo',
  'hint.of': 'Consejo {{number}} de {{total}}',
  'hint.picture.text':
    'Seleccione una alarma y pulse la tecla: se solicita el video de ese momento y se reproduce en cuanto llega.',
  'hint.picture.title': 'De la alarma a su video',
  'hint.queue.text': 'Vaya a la alarma siguiente o anterior y confírmela. El mapa la sigue.',
  'hint.queue.title': 'Atender la cola con el teclado',
  'hint.search.text':
    'Vehículos, matrículas, conductores, teléfonos, geocercas, direcciones y comandos: un solo campo lo encuentra todo.',
  'hint.search.title': 'Encontrar de todo',
  'hint.shift.text':
    'Inicie un turno al empezar. Al final, el siguiente operador recibe el informe y sus notas.',
  'hint.shift.title': 'Entregar el turno',
  'hint.title': 'Consejo',
};
