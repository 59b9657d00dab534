import { request } from 'undici'

export type GatewayRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The result of a call: a complete answer of any status, or no answer. */
export type GatewayReply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'unanswered'; readonly evidence: string }

const callMilliseconds = 10_000
const answerBytesMax = 256 * 1024

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message || error.name}`
}

/**
 * Sends one request and reads its answer, within ten seconds. Follows no redirect, repeats nothing, and never throws for an
 * error of the network or the gateway.
 */
export async function callGateway({ method, url, headers, body }: GatewayRequest): Promise<GatewayReply> {
  try {
    const signal = AbortSignal.timeout(callMilliseconds)
    const answer = await request(url, { method, headers, signal, ...(body !== undefined && { body }) })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > answerBytesMax) throw new Error(`an answer of more than ${answerBytesMax} bytes`)
    }
    return { kind: 'answered', status: answer.statusCode, body: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    return { kind: 'unanswered', evidence: describe(error) }
  }
}
