import Type from 'typebox'
import type { Db } from '../../../platform/database/database.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { Moment, Nullable } from '../../../platform/http/schemas.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SupplierRegistry } from '../../../suppliers/ports.ts'
import { registersNumbers } from '../../../suppliers/registration-port.ts'
import { registrationServers, registrationSuppliers } from '../data.settings.ts'
import { readAwayServers } from './raise-away-alarm.ts'
import { readEnabledNames } from './registration-servers.ts'

const RegistrationServerList = Type.Object(
  {
    servers: Type.Array(
      Type.Object({
        server: Type.Integer({ description: '1 or 2.' }),
        supplier: Type.String({ description: 'Who keeps it, by the setting.' }),
        is_accepted: Type.Boolean({ description: 'Whether its answers count.' }),
        is_usable: Type.Boolean({ description: 'Whether it can be asked as it is configured: its supplier is enabled, too.' }),
        away_since: Nullable(Moment({ description: 'Since when nothing is heard of it; null: it is there.' })),
      }),
    ),
  },
  { title: 'RegistrationServerList' },
)

type ServerDeps = { readonly db: Db; readonly settings: Settings; readonly suppliers: Pick<SupplierRegistry, 'find'> }

export function registerRegistrationServerRoutes(desk: Api, deps: ServerDeps): void {
  desk.get(
    '/registration-servers',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListRegistrationServers',
        tags: ['Suppliers'],
        summary: 'The registration servers: who keeps each, and whether it is there',
        response: { 200: Envelope(RegistrationServerList) },
      },
    },
    async () => {
      const { db, settings, suppliers } = deps
      const [accepted, names, away, enabled] = await Promise.all([
        settings.read(registrationServers),
        settings.read(registrationSuppliers),
        readAwayServers(db),
        readEnabledNames(db),
      ])
      const servers = ([1, 2] as const).map((server) => {
        const name = names[server - 1] ?? ''
        const supplier = enabled.has(name) ? suppliers.find(name) : undefined
        return {
          server,
          supplier: name,
          is_accepted: accepted.includes(server),
          is_usable: supplier !== undefined && registersNumbers(supplier),
          away_since: away.get(String(server))?.toISOString() ?? null,
        }
      })
      return ok({ servers })
    },
  )
}
