/** Hints for who is new, in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'hint.got_it': 'Entendi',
  'hint.hide_all': 'Ocultar todas',
  'hint.history.text':
    'Arraste a hora no Histórico: todos os veículos ficam onde estavam, com seus trajetos e eventos.',
  'hint.history.title': 'A frota em qualquer momento passado',
  'hint.keys.text': 'Cada ação tem uma tecla. Você pode mudá-las em Configurações.',
  'hint.keys.title': 'Todas as teclas de uma vez',
  'hint.of': 'Dica {{number}} de {{total}}',
  'hint.picture.text':
    'Selecione um alarme e pressione a tecla: o vídeo desse momento é pedido e toca assim que chega.',
  'hint.picture.title': 'Do alarme ao vídeo',
  'hint.queue.text': 'Vá ao alarme seguinte ou anterior e reconheça-o. O mapa acompanha.',
  'hint.queue.title': 'Tratar a fila pelo teclado',
  'hint.search.text':
    'Veículos, placas, motoristas, telefones, geocercas, endereços e comandos: um só campo encontra tudo.',
  'hint.search.title': 'Encontrar tudo',
  'hint.shift.text':
    'Inicie um turno ao começar. No fim, o próximo operador recebe o relatório e suas notas.',
  'hint.shift.title': 'Passar o turno',
  'hint.title': 'Dica',
};
