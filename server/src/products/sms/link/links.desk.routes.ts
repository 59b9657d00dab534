import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../../platform/database/database.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { Moment, Nullable, OneOf } from '../../../platform/http/schemas.ts'

const SmsLinkList = Type.Object(
  {
    links: Type.Array(
      Type.Object({
        supplier: Type.String(),
        state: OneOf(['bound', 'down', 'not_held'], {
          description: '`down`: a worker holds it, and it is not bound. `not_held`: no worker has said anything of it lately.',
        }),
        seen_at: Nullable(Moment({ description: 'When a worker last said so.' })),
        window: Type.Integer({ description: 'Submits without an answer at most.' }),
        per_second: Nullable(Type.Integer({ description: 'Submits per second at most; null: no limit.' })),
      }),
    ),
  },
  { title: 'SmsLinkList' },
)

/** A link counts as held while its worker reported within this time. Workers report every second. */
const heldSeconds = 5

export function registerSmsLinkRoutes(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/sms-links',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListSmsLinks',
        tags: ['Suppliers'],
        summary: 'The links to SMS suppliers: whether each is bound, its window and its pace',
        response: { 200: Envelope(SmsLinkList) },
      },
    },
    async () => {
      const { rows } = await sql<{
        supplier: string
        state: 'bound' | 'down' | 'not_held'
        seen_at: Date | null
        slots: number
        requests_per_second: number | null
      }>`
        select suppliers.name as supplier, seen_at, slots, requests_per_second,
          case when seen_at > clock_timestamp() - make_interval(secs => ${heldSeconds}) then sms_links.state else 'not_held' end as state
        from suppliers left join sms_links on sms_links.supplier = suppliers.name
        where adapter = 'smpp' order by suppliers.name`.execute(db)
      const links = rows.map(({ seen_at, slots, requests_per_second, ...link }) => ({
        ...link,
        seen_at: seen_at?.toISOString() ?? null,
        window: slots,
        per_second: requests_per_second,
      }))
      return ok({ links })
    },
  )
}
