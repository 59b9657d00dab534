import type { CostExpectation } from '../money/expected-cost.ts'
import type { Db } from '../platform/database/database.ts'
import { onConstraint } from '../platform/database/database-errors.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refusals, refuse } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { inPieces } from '../platform/in-pieces.ts'
import { pageOf } from '../platform/page-of.ts'
import { listStatements, listUnreadableLines } from './list-statements.ts'
import { reconcileStatement } from './reconcile-statement.ts'
import {
  PartKept,
  PartPath,
  StatementImportBody,
  StatementImported,
  StatementList,
  StatementListQuery,
  StatementPath,
  SupplierStatement,
  UploadBegun,
  UploadBody,
  UploadPath,
} from './reconciliation.schemas.ts'
import {
  beginUpload,
  deleteUpload,
  findUpload,
  readUpload,
  storeUploadPart,
  uploadBytesMax,
  uploadPartBytes,
} from './store-upload.ts'

export type StatementDeskDeps = {
  readonly db: Db
  /** The expected cost of orders, by product. */
  readonly expectations: readonly CostExpectation[]
}

const tags = ['Reconciliation']
const linesShown = 50
const uploadNotFound = refuse(404, 'upload_not_found', 'This upload was finished or forgotten. Send the file again.')
const statementIsCompared = refuse(
  409,
  'statement_is_compared',
  'Another statement is compared at this moment. Import yours when it is done.',
)
const statementNotFound = refuse(404, 'statement_not_found', 'There is no such statement.')

async function readUploadOf(db: Db, id: string, actor: string) {
  const upload = await findUpload(db, id, actor)
  if (!upload) throw new RefusalError(uploadNotFound)
  return upload
}

function registerSending(desk: Api, { db }: StatementDeskDeps): void {
  desk.post(
    '/reconcile/uploads',
    {
      config: { permission: 'reconcile', refusals: [409] },
      schema: {
        operationId: 'deskBeginUpload',
        tags,
        summary: 'Begin to send a supplier’s statement, a part at a time',
        body: UploadBody,
        response: { 200: Envelope(UploadBegun) },
      },
    },
    async ({ body: { supplier, fileName, size }, staff: { actor } }) => {
      const { id, parts } = await beginUpload(db, { supplier, fileName, size, actor })
      return ok({ uploadId: id, partBytes: uploadPartBytes, parts })
    },
  )
  desk.register(async (scope) => {
    const parts: Api = scope.withTypeProvider()
    parts.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    parts.put(
      '/reconcile/uploads/:upload_id/parts/:part_no',
      {
        bodyLimit: uploadPartBytes,
        config: { permission: 'reconcile', refusals: [404, 409] },
        schema: {
          operationId: 'deskSendUploadPart',
          tags,
          summary: 'Send one part of a statement; sent again it counts once',
          description: 'The body is the part’s bytes, as application/octet-stream.',
          params: PartPath,
          response: { 200: Envelope(PartKept) },
        },
      },
      async ({ params, body, staff: { actor } }) => {
        const upload = await readUploadOf(db, params.uploadId, actor)
        if (!Buffer.isBuffer(body)) throw new RefusalError(refusals.unreadableBody('Send the part as application/octet-stream.'))
        await storeUploadPart(db, upload, params.partNo, body).catch(
          // The upload was imported or forgotten since it was read.
          onConstraint('statement_upload_parts_upload_id_fkey', () => new RefusalError(uploadNotFound)),
        )
        return ok({ partNo: params.partNo })
      },
    )
  })
}

function registerImport(desk: Api, { db, expectations }: StatementDeskDeps): void {
  // True while this process runs a comparison. Each comparison holds a connection until it ends; several at once would leave
  // none for purchases.
  let isComparing = false
  desk.post(
    '/reconcile/uploads/:upload_id/import',
    {
      config: {
        longWork: 'Every line of the statement is compared with our attempts.',
        permission: 'reconcile',
        refusals: [404, 409],
      },
      schema: {
        operationId: 'deskImportStatement',
        tags,
        summary: 'Compare the statement that was sent with our orders, and keep what differs',
        params: UploadPath,
        body: StatementImportBody,
        response: { 200: Envelope(StatementImported) },
      },
    },
    async ({ params, body: { from, to }, staff: { actor } }) => {
      const upload = await readUploadOf(db, params.uploadId, actor)
      const { supplier, fileName } = upload
      if (isComparing) throw new RefusalError(statementIsCompared)
      isComparing = true
      try {
        // The file is read whole before the comparison takes its connection. Otherwise the reading would need a second
        // connection.
        const file = inPieces(...(await readUpload(db, upload)))
        const { statement, closedDifferences } = await reconcileStatement(db, {
          supplier,
          fileName,
          file,
          actor,
          expectations,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        })
        await deleteUpload(db, upload.id)
        return ok({ statementId: statement.id, isNew: statement.isNew, closedDifferences })
      } finally {
        isComparing = false
      }
    },
  )
}

function registerHistory(desk: Api, { db }: StatementDeskDeps): void {
  desk.get(
    '/reconcile/statements',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListStatements',
        tags,
        summary: 'The statements that were imported, newest first, with what each import found',
        querystring: StatementListQuery,
        response: { 200: Envelope(StatementList) },
      },
    },
    async ({ query: { supplier, after, limit } }) => {
      const list = (rows: number) => listStatements(db, { supplier, after, limit: rows })
      const { rows: statements, next } = await pageOf(limit, list, ({ id }) => id)
      return ok({ statements, next, uploadBytesMax })
    },
  )
  desk.get(
    '/reconcile/statements/:statement_id',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadStatement',
        tags,
        summary: 'One imported statement',
        params: StatementPath,
        response: { 200: Envelope(SupplierStatement) },
      },
    },
    async ({ params: { statementId: id } }) => {
      const [row] = await listStatements(db, { id, limit: 1 })
      if (!row) throw new RefusalError(statementNotFound)
      return ok({ ...row, unreadable_lines: await listUnreadableLines(db, id, linesShown) })
    },
  )
}

export function registerStatementDeskRoutes(desk: Api, deps: StatementDeskDeps): void {
  registerSending(desk, deps)
  registerImport(desk, deps)
  registerHistory(desk, deps)
}
