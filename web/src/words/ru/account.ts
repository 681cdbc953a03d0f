import type { Words } from '../index.js'

export const account: Words['account'] = {
  signIn: 'Войти',
  signInTo: 'Вход в Parley',
  signOut: 'Выйти',
  menu: 'Настройки и прочее',
  email: 'Почта',
  password: 'Пароль',
  showPassword: 'Показать пароль',
  forgot: 'Забыли пароль?',
  wrong: 'Неверная почта или пароль.',
  suspended: 'Этой учётной записи вход закрыт.',
  tooMany: 'Слишком много попыток. Подождите минуту.',
  noConnection: 'Сервер недоступен. Проверьте соединение.',
  emptyEmail: 'Укажите почту.',
  emptyPassword: 'Укажите пароль.',
}
