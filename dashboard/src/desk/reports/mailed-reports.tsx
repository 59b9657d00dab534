import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { reportWords } from '../words/reports.ts'
import css from './reports.module.css'

type Schedule = Schema<'ReportSchedules'>['schedules'][number]

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
  return (
    <SendForm
      fields={{
        report: { kind: 'choice', label: reportWords.report, options: choicesOf(reports) },
        by: {
          kind: 'choice',
          label: reportWords.by,
          options: choicesOf(reportWords.groupings),
          initial: 'product',
          isShown: ({ report }) => report === 'sales',
        },
        every: { kind: 'choice', label: reportWords.every, options: choicesOf(reportWords.reportIntervals), initial: 'month' },
        hour: { kind: 'choice', label: reportWords.hour, options: hours, initial: '6' },
      }}
      action={reportWords.send}
      run={({ hour, ...schedule }) => post('/desk/api/report-schedules', { ...schedule, hour: Number(hour) })}
      topics={['reports']}
    />
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
        <QueryAnswer query={query}>
          {({ schedules }) => (
            <Rows label={reportWords.mailList} empty={{ title: reportWords.mailEmpty, next: reportWords.mailEmptyNext }}>
              {schedules.map((schedule) => (
                <ScheduleRow key={schedule.schedule_id} schedule={schedule} />
              ))}
            </Rows>
          )}
        </QueryAnswer>
      </Section>
    </>
  )
}
