/** Hints for who is new, in Chinese. */
export const texts: Readonly<Record<string, string>> = {
  'hint.got_it': '知道了',
  'hint.hide_all': '隐藏全部提示',
  'hint.history.text': '在历史中拖动时间：所有车辆显示在当时的位置，并附轨迹和事件。',
  'hint.history.title': '查看任意过去时刻的车队',
  'hint.keys.text': '每个操作都有快捷键，可在设置中更改。',
  'hint.keys.title': '所有快捷键一览',
  'hint.of': '提示 {{number}}/{{total}}',
  'hint.picture.text': '选中报警后按此键：请求该时刻的视频，到达后立即播放。',
  'hint.picture.title': '从报警到视频',
  'hint.queue.text': '转到下一条或上一条报警并确认，地图随之移动。',
  'hint.queue.title': '用键盘处理报警队列',
  'hint.search.text': '车辆、车牌、驾驶员、电话、电子围栏、地址和命令，都可在此搜索。',
  'hint.search.title': '一处搜索全部',
  'hint.shift.text': '上班时开始班次。结束时，下一位调度员会收到报告和您的备注。',
  'hint.shift.title': '交接班',
  'hint.title': '提示',
};
