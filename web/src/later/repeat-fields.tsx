import { locale, words } from '../platform/i18n.js'
import { Checkbox, RadioGroup } from '../ui/choice.js'
import { TextField } from '../ui/field.js'
import { isByMonth, nthOf, type ScheduleForm } from './schedule.js'

/** Monday first; the API counts from Sunday. */
const WEEK = [1, 2, 3, 4, 5, 6, 0]

function weekday(day: number, width: 'short' | 'long'): string {
  // The fourth of January 1970 was a Sunday.
  const date = new Date(Date.UTC(1970, 0, 4 + day))
  return new Intl.DateTimeFormat(locale(), { weekday: width, timeZone: 'UTC' }).format(date)
}

interface RepeatFieldsProps {
  form: ScheduleForm
  onChange(more: Partial<ScheduleForm>): void
}

/** What a repetition needs beyond its interval. */
export function RepeatFields({ form, onChange }: RepeatFieldsProps) {
  const { later } = words()
  const { interval, date, days } = form
  if (interval === 'once') return null
  const day = new Date(`${date}T12:00`).getDay()
  return (
    <>
      {interval === 'weekly' && (
        <fieldset class="schedule-days">
          <legend class="field-label">{later.onDays}</legend>
          {WEEK.map((one) => (
            <Checkbox
              key={one}
              label={<abbr title={weekday(one, 'long')}>{weekday(one, 'short')}</abbr>}
              checked={days.includes(one)}
              onChange={(on) =>
                onChange({ days: on ? [...days, one] : days.filter((known) => known !== one) })
              }
            />
          ))}
        </fieldset>
      )}
      {isByMonth(interval) && date !== '' && (
        <RadioGroup
          label={later.onDay}
          value={form.by_weekday ? 'weekday' : 'day'}
          options={[
            { value: 'day', label: later.sameDay(Number(date.slice(8))) },
            { value: 'weekday', label: later.sameWeekday(nthOf(date), weekday(day, 'long')) },
          ]}
          onChoose={(value) => onChange({ by_weekday: value === 'weekday' })}
        />
      )}
      <TextField
        label={later.until}
        hint={later.untilHint}
        type="date"
        value={form.end_date}
        onText={(end_date) => onChange({ end_date })}
      />
    </>
  )
}
