// Texts that look like a team's: Russian and English words in their forms, common ones often and rare ones seldom.
// The same seed gives the same texts.

const RUSSIAN =
  'договор отчет встреча проект задача клиент поставщик смета бюджет срок согласование документ ошибка сервер релиз ветка тест данные запрос ответ письмо звонок вопрос решение план график команда отдел заявка оплата счет акт склад товар доставка заказ цена скидка рынок реклама макет дизайн кнопка экран страница форма список таблица файл папка ссылка доступ пароль роль группа канал сообщение уведомление поиск история версия правка комментарий обсуждение проверка приемка запуск остановка мониторинг нагрузка память диск сеть база индекс ключ токен событие очередь повтор лимит квота журнал аудит выгрузка архив'.split(
    ' ',
  )
const ENDINGS = ['', 'а', 'у', 'ом', 'ы', 'ов', 'ами', 'ах', 'е', 'и']
const SYLLABLES =
  'ба ве го до жи за ки ло ми но пу ра со ти фу ха це ши ще эл юр яв бор вин гал дер кон лен мар нор пол рек сан тор'.split(
    ' ',
  )
const ENGLISH =
  'deploy review merge release branch server client request response timeout retry queue index search cache memory build test pipeline ticket sprint backlog meeting budget invoice contract draft design layout button screen table report metric alert dashboard token scope webhook payload schema migration rollback feature customer support question answer update status deadline owner team channel thread message file upload download preview export audit policy'.split(
    ' ',
  )
const FILLERS =
  'и в на не что по это как для с к а но же бы мы вы они прошу надо уже еще завтра сегодня the a to of and is we'.split(
    ' ',
  )

/** Numbers from 0 to 1 that look like chance. */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function makeTexts(seed) {
  const chance = seeded(seed)
  const pick = (list) => list[Math.floor(chance() * list.length)]
  const rare = Array.from({ length: 30_000 }, () =>
    Array.from({ length: 2 + Math.floor(chance() * 3) }, () => pick(SYLLABLES)).join(''),
  )
  // Low numbers come far more often than high ones.
  const seldom = (list) => list[Math.floor(list.length * chance() ** 3)]
  function word() {
    const kind = chance()
    if (kind < 0.3) return pick(FILLERS)
    if (kind < 0.6) return seldom(RUSSIAN) + pick(ENDINGS)
    if (kind < 0.8) return seldom(ENGLISH)
    return seldom(rare) + pick(ENDINGS)
  }
  return {
    chance,
    rare,
    text() {
      const length = 3 + Math.floor(12 * chance() ** 2)
      return Array.from({ length }, word).join(' ')
    },
  }
}
