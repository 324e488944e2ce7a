/** Problem report in Chinese. */
export const texts: Readonly<Record<string, string>> = {
  'problem_report.about':
    '一个包含版本、设置、运行状况和近期日志的文件，供排查故障使用。保存前可检查内容，不会发送给任何人。',
  'problem_report.create': '生成问题报告',
  'problem_report.failed': '问题报告生成失败。',
  'problem_report.heading': 'Fleetdeck 问题报告',
  'problem_report.loading': '正在生成问题报告',
  'problem_report.note': '发生了什么',
  'problem_report.note_about': '您做了什么、预期什么、看到什么。不需要则留空。',
  'problem_report.preview': '文件内容',
  'problem_report.review':
    '密码、密钥、JWT、邮件地址和电话号码均不包含。请检查内容，取消不想提供的部分，然后保存文件。',
  'problem_report.save': '保存文件',
  'problem_report.section.computer': '计算机',
  'problem_report.section.console': '控制台',
  'problem_report.section.counts': '计数',
  'problem_report.section.desktop': '桌面',
  'problem_report.section.health': '运行状况',
  'problem_report.section.log': '日志',
  'problem_report.section.metrics': '指标',
  'problem_report.section.program': '程序',
  'problem_report.section.settings': '设置',
  'problem_report.section.storage': '存储',
  'problem_report.sections': '部分',
  'problem_report.title': '问题报告',
};
