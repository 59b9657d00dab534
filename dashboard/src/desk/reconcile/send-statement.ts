import { api, NoAnswer, post, requestData } from '../../both/api/call-api.ts'

type Sent = { readonly statement_id: string; readonly is_new: boolean; readonly closed_differences: number }

type StatementToSend = {
  readonly supplier: string
  readonly file: File
  /** The days that the statement covers. Empty: its lines name their days. */
  readonly from: string
  readonly to: string
}

/** A part that gets no answer is sent at most this many times. The server keeps each part only once. */
const triesMax = 3

async function sendPart(uploadId: string, partNo: number, bytes: Blob): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await requestData(() =>
        api.PUT('/desk/api/reconcile/uploads/{upload_id}/parts/{part_no}', {
          params: { path: { upload_id: uploadId, part_no: partNo } },
          body: bytes as never,
          bodySerializer: (body: unknown) => body as Blob,
          headers: { 'content-type': 'application/octet-stream' },
        } as never),
      )
      return
    } catch (error) {
      if (!(error instanceof NoAnswer) || tries >= triesMax) throw error
    }
  }
}

/**
 * Sends a statement part by part. The server compares it with our attempts.
 *
 * @param onProgress called with the share of the file that has arrived, 0 to 1
 */
export async function sendStatement(
  { supplier, file, from, to }: StatementToSend,
  onProgress: (part: number) => void,
): Promise<Sent> {
  const begun = await post('/desk/api/reconcile/uploads', { supplier, file_name: file.name, size: file.size })
  const { upload_id: uploadId, part_bytes: partBytes, parts } = begun
  for (let partNo = 1; partNo <= parts; partNo += 1) {
    await sendPart(uploadId, partNo, file.slice((partNo - 1) * partBytes, partNo * partBytes))
    onProgress(partNo / parts)
  }
  return post('/desk/api/reconcile/uploads/{upload_id}/import', {
    upload_id: uploadId,
    ...(from !== '' && { from: `${from}T00:00:00.000Z` }),
    ...(to !== '' && { to: `${to}T23:59:59.999Z` }),
  })
}
