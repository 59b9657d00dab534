import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { post, remove, type Schema } from '../../both/api/call-api.ts'
import type { operations } from '../../both/api/dashboard-api.d.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { Asked, Empty, Failure } from '../../both/layout/wait.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { reportWords } from '../words/reports.ts'
import css from './reports.module.css'

type Schedule = Schema<'ReportSchedules'>['schedules'][number]
type Scheduled = operations['scheduleReport']['requestBody']['content']['application/json']

const reports = {
  sales: reportWords.kinds.sales,
  tax: reportWords.kinds.tax,
  balances: reportWords.kinds.owed,
  float: reportWords.kinds.float,
} satisfies Record<Schedule['report'], string>

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))

const titleOf = ({ report, by, every }: Schedule): string =>
  reportWords.scheduled(
    reports[report],
    report === 'sales' ? reportWords.groupings[by] : undefined,
    reportWords.reportIntervals[every],
  )

function ScheduleForm() {
  const [wanted, setWanted] = useState<Scheduled>({ report: 'sales', by: 'product', every: 'month', hour: 6 })
  const set = (change: Partial<Scheduled>) => setWanted((before) => ({ ...before, ...change }))
  const scheduling = useAct(() => post('/desk/api/report-schedules', wanted), ['reports'])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        scheduling.mutate()
      }}
    >
      <div className={css.filters}>
        <NativeSelect
          label={reportWords.report}
          value={wanted.report}
          data={choicesOf(reports)}
          onChange={({ currentTarget }) => set({ report: currentTarget.value as Scheduled['report'] })}
        />
        {wanted.report === 'sales' && (
          <NativeSelect
            label={reportWords.by}
            value={wanted.by ?? 'product'}
            data={choicesOf(reportWords.groupings)}
            onChange={({ currentTarget }) => set({ by: currentTarget.value as NonNullable<Scheduled['by']> })}
          />
        )}
        <NativeSelect
          label={reportWords.every}
          value={wanted.every}
          data={choicesOf(reportWords.reportIntervals)}
          onChange={({ currentTarget }) => set({ every: currentTarget.value as Scheduled['every'] })}
        />
        <NativeSelect
          label={reportWords.hour}
          value={String(wanted.hour)}
          data={hours}
          onChange={({ currentTarget }) => set({ hour: Number(currentTarget.value) })}
        />
        <Button type="submit" loading={scheduling.isPending}>
          {reportWords.send}
        </Button>
      </div>
      {scheduling.isError && <Failure error={scheduling.error} />}
    </form>
  )
}

function ScheduleRow({ schedule }: { readonly schedule: Schedule }) {
  const { schedule_id } = schedule
  return (
    <Row
      title={titleOf(schedule)}
      detail={
        <>
          {reportWords.next} <Moment at={schedule.next_at} />
        </>
      }
      end={
        <Act
          label={reportWords.stop}
          question={reportWords.stopQuestion}
          topics={['reports']}
          run={() => remove('/desk/api/report-schedules/{schedule_id}', { schedule_id })}
        >
          <p>{titleOf(schedule)}</p>
          <p>{reportWords.stopLead}</p>
        </Act>
      }
    />
  )
}

/** The scheduled reports of the signed-in person, which come by e-mail. */
export function MailedReportsPart() {
  const query = useRead('reports', '/desk/api/report-schedules')
  return (
    <>
      <Card>
        <p className={css.lead}>{reportWords.mailLead}</p>
        <ScheduleForm />
      </Card>
      <Section title={reportWords.mailList}>
        <Asked query={query}>
          {({ schedules }) =>
            schedules.length === 0 ? (
              <Empty title={reportWords.mailEmpty}>{reportWords.mailEmptyNext}</Empty>
            ) : (
              <Rows label={reportWords.mailList}>
                {schedules.map((schedule) => (
                  <ScheduleRow key={schedule.schedule_id} schedule={schedule} />
                ))}
              </Rows>
            )
          }
        </Asked>
      </Section>
    </>
  )
}
