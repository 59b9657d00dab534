import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { endSchedule, listSchedules, scheduleReport } from '../schedules/report-schedules.ts'
import { ScheduleBody, SchedulePath, Schedules } from './report.schemas.ts'

const tags = ['Reports']

/** Registers the routes of the reports that one of the staff gets by e-mail after each day, week or month. */
export function registerScheduleDeskRoutes(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/report-schedules',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'listReportSchedules',
        tags,
        summary: 'The reports that you get by e-mail',
        response: { 200: Envelope(Schedules) },
      },
    },
    async ({ person: { email } }) => ok({ schedules: await listSchedules(db, email) }),
  )
  desk.post(
    '/report-schedules',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'scheduleReport',
        tags,
        summary: 'Get a report by e-mail from now on',
        description: 'It goes to your own e-mail. The same report once more takes the new hour.',
        body: ScheduleBody,
        response: { 200: Envelope(Schedules) },
      },
    },
    async ({ person: { email }, staff: { actor }, body: { report, by = 'product', every, hour } }) => {
      await inTransaction(db, (tx) => scheduleReport(tx, { report, by, every, hour, email, actor }))
      return ok({ schedules: await listSchedules(db, email) })
    },
  )
  desk.delete(
    '/report-schedules/:schedule_id',
    {
      config: { permission: 'see', refusals: [409] },
      schema: {
        operationId: 'endReportSchedule',
        tags,
        summary: 'Get a report no more',
        params: SchedulePath,
        response: { 200: Envelope(Schedules) },
      },
    },
    async ({ person: { email }, staff: { actor }, params: { scheduleId } }) => {
      await inTransaction(db, (tx) => endSchedule(tx, { scheduleId, email, actor }))
      return ok({ schedules: await listSchedules(db, email) })
    },
  )
}
