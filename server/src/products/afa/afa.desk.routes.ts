import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { oneAtATime } from '../../platform/http/one-at-a-time.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { AfaNote } from './afa.desk.schemas.ts'
import { exportRegistrations } from './export-registrations.ts'
import { listRegistrations, type RegistrationQuery } from './list-registrations.ts'
import { logIdentityAccess } from './show-registrations.ts'
import { RegistrationStateError } from './work-registrations.ts'

type AfaDeskDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

export function registerAfaExport(desk: Api, { db, secretsKeys }: AfaDeskDeps): void {
  desk.post(
    '/afa/export',
    {
      config: {
        longWork: 'The data of every registration is decrypted.',
        permission: 'settle_orders',
        isConfirmationNeeded: true,
        refusals: [400, 409],
      },
      schema: {
        operationId: 'deskExportAfa',
        tags: ['AFA'],
        summary: 'The registrations that the person works on, with the data in the clear, as CSV',
        body: Type.Object({ reason: AfaNote('What the file is for, for the log.') }, { title: 'ExportAfaBody' }),
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ body, staff: { actor } }, reply) => {
      const query: RegistrationQuery = { statuses: ['processing'], claimedBy: actor, limit: Number.MAX_SAFE_INTEGER }
      // Every registration is decrypted: a large export keeps the process busy for seconds.
      const text = await oneAtATime(db, 'afa export', async () => {
        const found = await listRegistrations(db, secretsKeys, query)
        if (found.length === 0) throw new RegistrationStateError('You work on no registration. Claim some first.')
        await logIdentityAccess(db, { actor, action: 'afa export', reason: body.reason.trim() }, found)
        return exportRegistrations(found)
      })
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="afa-registrations.csv"')
        .type('text/csv; charset=utf-8')
        .send(text as never)
    },
  )
}
