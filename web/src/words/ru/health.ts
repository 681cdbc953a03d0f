import type { HealthTexts } from '../health.js'

const ROOM = 'Освободите место: на полном диске база данных перестаёт принимать сообщения.'
const DOWNLOADS = 'С этого адреса клиенты скачивают файлы: проверьте PARLEY_S3_PUBLIC_ENDPOINT.'
const TRANSCRIPTION =
  'Проверьте PARLEY_TRANSCRIBE_URL и PARLEY_TRANSCRIBE_KEY; голосовые сообщения остаются без расшифровок.'

/** By the codes of the API; names in braces stand for values. */
export const healthFindings: HealthTexts = {
  disk_free: { detail: 'Свободно {free_gb} ГБ в {folder}.' },
  disk_low: { detail: 'Свободно {free_gb} ГБ в {folder}.', advice: ROOM },
  disk_full: { detail: 'Свободно {free_gb} ГБ в {folder}.', advice: ROOM },
  disk_missing: {
    detail: 'Папки {folder} нет.',
    advice: 'Укажите папку данных в --data-dir или PARLEY_DATA_DIR.',
  },
  disk_read_only: {
    detail: 'В папку {folder} нельзя писать.',
    advice: 'Отдайте папку этой учётной записи или укажите другую в PARLEY_DATA_DIR.',
  },
  database_works: { detail: 'PostgreSQL {version} ({place}).' },
  database_too_old: {
    detail: 'Версия PostgreSQL — {version} ({place}).',
    advice: 'Нужен PostgreSQL {oldest} или новее.',
  },
  database_without_fsync: {
    detail: 'PostgreSQL {version} ({place}), fsync выключен.',
    advice: 'Включите fsync, иначе при отключении питания сообщения пропадут.',
  },
  database_failed: {
    detail: 'База данных не отвечает: {reason}',
    advice: 'Проверьте DATABASE_URL, и что база данных работает и принимает соединения с этого узла.',
  },
  embedded_database_failed: {
    detail: 'База данных не отвечает: {reason}',
    advice: 'Посмотрите postgres.log в папке данных.',
  },
  schema_current: { detail: 'Применены все миграции этой версии: {applied}.' },
  schema_behind: {
    detail: 'Не применены миграции: {waiting}.',
    advice: 'Их применит следующий запуск; или выполните `parley migrate`.',
  },
  schema_newer: {
    detail: 'Базу данных создала более новая версия Parley (в ней есть {migrations}).',
    advice: 'Установите версию, к которой относится эта база данных.',
  },
  schema_changed: {
    detail: 'Миграции {migrations} в этой базе данных применены с другим текстом, чем в этой версии.',
    advice: 'Установите версию, которая создала эту базу данных, или восстановите резервную копию.',
  },
  workspace_found: { detail: '«{name}» в {place}, с {since}.' },
  workspace_missing_in_folder: {
    detail: 'В {place} нет пространства.',
    advice: 'Укажите папку данных в --data-dir или PARLEY_DATA_DIR или сначала запустите сервер там.',
  },
  workspace_missing_in_database: {
    detail: 'В {place} нет пространства.',
    advice: 'Проверьте DATABASE_URL или сначала запустите сервер на этой базе данных.',
  },
  clocks_agree: { detail: 'Часы этого узла и базы данных расходятся на {skew_ms} мс.' },
  clocks_differ: {
    detail: 'Часы этого узла и базы данных расходятся на {skew_ms} мс.',
    advice: 'Настройте на обоих узлах NTP: по часам идут отложенные и повторяющиеся сообщения.',
  },
  redis_answers: { detail: 'Сервер {host} отвечает.' },
  redis_failed: {
    detail: 'Сервер {host} не отвечает: {reason}',
    advice: 'Проверьте REDIS_URL; пока он не отвечает, каждый процесс считает частоту запросов сам.',
  },
  files_stored: { detail: 'Бакет {bucket} на {host}: запись, чтение, ссылка и удаление работают.' },
  files_failed: {
    detail: 'Бакет {bucket} на {host} недоступен: {reason}',
    advice: 'Проверьте настройки PARLEY_S3_ и право ключа писать, читать и удалять в этом бакете.',
  },
  files_link_refused: { detail: 'Ссылка на {host} отвечает {status}.', advice: DOWNLOADS },
  files_link_failed: { detail: 'Сервер {host} недоступен: {reason}', advice: DOWNLOADS },
  encryption_works: { detail: 'Новые файлы шифруются, ключ прежних задан.' },
  encryption_key_missing: {
    detail: 'Файлы зашифрованы ключом, которого нет в PARLEY_FILES_KEY.',
    advice: 'Добавьте этот ключ в PARLEY_FILES_KEY после более нового: без него сервер не запустится.',
  },
  newest_file_found: { detail: 'Файл, отправленный последним, есть в {place}.' },
  newest_file_missing: {
    detail: 'Файла, отправленного последним, нет в {place}.',
    advice:
      'Проверьте PARLEY_DATA_DIR или настройки PARLEY_S3_, и восстановлены ли файлы вместе с базой данных.',
  },
  newest_file_failed: {
    detail: 'Файл, отправленный последним, не читается из {place}: {reason}',
    advice: 'Проверьте PARLEY_DATA_DIR или настройки PARLEY_S3_ и права на чтение.',
  },
  uploads_allowed: { detail: 'Хранилище {host} принимает загрузки из браузеров с {origin}.' },
  uploads_refused: {
    detail: 'Хранилище {host} не принимает загрузки из браузеров с {origin}.',
    advice: 'Разрешите POST и GET с {origin} в правилах CORS бакета.',
  },
  mail_kept: { detail: 'Почтовый сервер не задан: письма пишутся в outbox/ в папке данных.' },
  mail_taken: { detail: 'Сервер {host} принимает почту от этого сервера.' },
  mail_failed: {
    detail: 'Сервер {host} не принимает почту: {reason}',
    advice: 'Проверьте PARLEY_SMTP_URL: узел, порт, имя, пароль.',
  },
  transcription_answers: { detail: 'Сервер {host} отвечает.' },
  transcription_refused: { detail: 'Сервер {host} отвечает {status}.', advice: TRANSCRIPTION },
  transcription_failed: { detail: 'Сервер {host} не отвечает: {reason}', advice: TRANSCRIPTION },
  port_free: { detail: 'Адрес {place} свободен.' },
  port_ours: { detail: 'Это пространство отвечает на {place}.' },
  port_unknown: {
    detail: 'На {place} отвечает какой-то сервер; без базы данных нельзя узнать, какой.',
  },
  port_taken: {
    detail: 'Адрес {place} занят не этим пространством.',
    advice: 'Остановите программу, которая его занимает, или задайте другой PORT.',
  },
  port_forbidden: {
    detail: 'Адрес {place} недоступен (EACCES).',
    advice: 'Порты ниже 1024 доступны только root: используйте 8080 за прокси.',
  },
  port_unusable: {
    detail: 'Адрес {place} недоступен ({reason}).',
    advice: 'Проверьте HOST и PORT.',
  },
  url_reaches_us: { detail: 'Адрес {url} ведёт в это пространство.' },
  url_unspecified: {
    detail: 'Адрес {url} никто не сможет открыть.',
    advice: 'Укажите в PARLEY_PUBLIC_URL адрес, которым пользуются люди: из него составляются ссылки.',
  },
  url_unknown: {
    detail: 'Адрес {url} отвечает; без базы данных нельзя узнать, это ли пространство.',
  },
  url_elsewhere: {
    detail: 'Адрес {url} ведёт в другое место.',
    advice: 'Проверьте PARLEY_PUBLIC_URL и то, куда прокси направляет запросы.',
  },
  url_not_tried: {
    detail: 'Адрес {url} не проверен: сервер этого пространства здесь не запущен.',
    advice: 'Запустите сервер и повторите проверку.',
  },
  url_failed: {
    detail: 'Адрес {url} не отвечает: {reason}',
    advice: 'Проверьте PARLEY_PUBLIC_URL, DNS и прокси.',
  },
  outbound_public: { detail: 'Вебхуки уходят только на публичные адреса.' },
  outbound_listed: { detail: 'Вебхуки уходят на публичные адреса и на {allowed}.' },
  outbound_link_local: {
    detail: 'Вебхуки уходят на публичные адреса и на {allowed}.',
    advice: 'PARLEY_OUTBOUND_ALLOW открывает вебхукам link-local адреса: сузьте список.',
  },
  pictures_work: { detail: 'Библиотека изображений на месте.' },
  pictures_failed: {
    detail: 'Библиотека изображений не загружается: {reason}',
    advice: 'Установите пакеты на этой машине ({platform}): npm ci --include=optional.',
  },
}
