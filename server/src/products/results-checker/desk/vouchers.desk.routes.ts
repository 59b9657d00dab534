import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import Type, { type Static } from 'typebox'
import type { Db } from '../../../platform/database/database.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { Uuid } from '../../../platform/http/schemas.ts'
import { inPieces } from '../../../platform/in-pieces.ts'
import type { SecretsKeys } from '../../../platform/secrets/secrets-keys.ts'
import { importVouchers, VoucherFileError } from '../import-vouchers.ts'
import { raiseLowStockAlarms } from '../raise-low-stock-alarms.ts'
import { mustFindVoucherType, typeNotFound } from './voucher-types.operations.ts'

const ImportQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Checks everything and keeps nothing.' }),
  fileName: Type.Optional(Type.String({ maxLength: 200 })),
  cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'What each voucher cost you, in GHS.' })),
})

const VoucherImportResult = Type.Object(
  {
    isDryRun: Type.Boolean(),
    imported: Type.Integer({ description: 'How many vouchers were added; in a dry run, would be.' }),
    skipped: Type.Integer({ description: 'How many rows were known already.' }),
    knownLines: Type.Array(Type.Integer(), { description: 'The first lines that were known already, at most 100.' }),
    problems: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: 'What is wrong, by line, at most 200. Only a dry run answers with them; an import keeps nothing then.',
    }),
    problemCount: Type.Integer(),
  },
  { title: 'VoucherImportResult' },
)

/**
 * The size of a file with some 400,000 vouchers. The file is read into memory first, so that no transaction waits for a slow
 * upload.
 */
const fileBytesMax = 16_000_000

/** The most problems of a file that an answer shows. Nobody reads more. */
const problemsShownMax = 200

type VoucherDeskDeps = {
  readonly db: Db
  readonly secretsKeys: SecretsKeys
  readonly log: Pick<Logger, 'error' | 'info'>
}

/** Reads a file as the chunks that arrive. To join 16 MB would hold up other requests. */
async function readChunks({ routeOptions: { bodyLimit } }: FastifyRequest, payload: Readable): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let bytes = 0
  // An unread rest must not close the connection, because the refusal is still to be sent on it.
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    chunks.push(chunk)
  }
  return chunks
}

function fileOf(body: unknown): Buffer[] {
  // A body of JSON may be a list too.
  if (Array.isArray(body) && body.every((chunk) => Buffer.isBuffer(chunk))) return body
  throw new RefusalError(refusals.invalidRequest('The body must be a CSV file, as text/csv.'))
}

function registerImportRoute(desk: Api, { db, secretsKeys, log }: VoucherDeskDeps): void {
  desk.addContentTypeParser(['text/csv', 'text/plain'], readChunks)
  desk.post(
    '/vouchers/types/:type_id/import',
    {
      bodyLimit: fileBytesMax,
      config: {
        longWork: 'Every voucher of the file is encrypted and compared with the stock.',
        permission: 'manage_stock',
        isConfirmationNeeded: true,
        changesNothing: ({ query }) => (query as Static<typeof ImportQuery>).dryRun,
        refusals: [400, typeNotFound, 409],
      },
      schema: {
        operationId: 'deskImportVouchers',
        tags: ['Vouchers'],
        summary: 'Import a file of vouchers, or see first what it would do',
        description: 'The body is the CSV file itself (`text/csv`, at most 16 MB). With a wrong row nothing is kept.',
        params: Type.Object({ typeId: Uuid() }),
        querystring: ImportQuery,
        response: { 200: Envelope(VoucherImportResult) },
      },
    },
    async ({ params, query, body, staff }) => {
      const file = fileOf(body)
      const { dryRun: isDryRun, fileName, cost: costGhs } = query
      const type = await mustFindVoucherType(db, params.typeId)
      const request = { type, file: inPieces(...file), isDryRun, actor: staff.actor, fileName, costGhs }
      const view = (result: { imported: number; skipped: number; knownLines: readonly number[] }, wrong?: VoucherFileError) =>
        ok({
          isDryRun,
          ...result,
          knownLines: [...result.knownLines],
          problems: wrong?.problems.slice(0, problemsShownMax) ?? [],
          problemCount: wrong?.problems.length ?? 0,
        })
      try {
        const result = await importVouchers(db, secretsKeys, request)
        if (!isDryRun) await raiseLowStockAlarms(db, log)
        return view(result)
      } catch (error) {
        if (isDryRun && error instanceof VoucherFileError) return view({ imported: 0, skipped: 0, knownLines: [] }, error)
        throw error
      }
    },
  )
}

export function registerVoucherDeskRoutes(desk: Api, deps: VoucherDeskDeps): void {
  // A scope of its own, so that no other route accepts files.
  desk.register(async (scope) => {
    const files: Api = scope.withTypeProvider()
    registerImportRoute(files, deps)
  })
}
