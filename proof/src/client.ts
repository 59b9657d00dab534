import { Agent, request } from 'undici'
import { type AnswerClass, classifyAnswer, classifyFailure } from './breaches/classify.ts'

export type Answer = {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed body; undefined when it is not JSON. */
  readonly body: AnswerBody | undefined
  readonly text: string
}

export type AnswerBody = {
  readonly success: boolean
  readonly data?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
  readonly meta?: { readonly timestamp: string }
}

/** No answer came: there was no connection, it broke, or the client waited too long. */
export type Failure = { readonly kind: 'failure'; readonly code: string }

export type Outcome = (Answer | Failure) & { readonly class: AnswerClass }

export type Question = {
  readonly url: string
  readonly key?: string
  readonly method?: 'GET' | 'POST'
  /** Sent as JSON. */
  readonly body?: unknown
  /** The exact bytes to send in place of `body`. */
  readonly rawBody?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** A reseller's program: HTTPS with keep-alive, one certificate authority, no retries. */
export type Client = {
  /** Sends a request once. Throws only when an outcome has no class. */
  ask(question: Question): Promise<Outcome>
  close(): Promise<void>
}

function parse(text: string): AnswerBody | undefined {
  try {
    return JSON.parse(text) as AnswerBody
  } catch {
    return undefined
  }
}

export type ClientOptions = {
  readonly ca: string
  /** The most connections to each API process. */
  readonly connections?: number
  /** Time limit of an answer. Real clients give up after about 25 s. */
  readonly patienceSeconds?: number
}

export function openClient(options: ClientOptions): Client {
  const patience = (options.patienceSeconds ?? 25) * 1_000
  const agent = new Agent({
    connections: options.connections ?? 64,
    headersTimeout: patience,
    bodyTimeout: patience,
    connect: { ca: options.ca, timeout: patience },
  })
  async function ask(question: Question): Promise<Outcome> {
    const { url, key, method = 'GET', body, rawBody } = question
    const headers = {
      ...(key === undefined ? {} : { authorization: key }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...question.headers,
    }
    let answer: Answer
    try {
      const response = await request(url, {
        method,
        headers,
        dispatcher: agent,
        ...(method === 'POST' ? { body: rawBody ?? JSON.stringify(body) } : {}),
      })
      const text = await response.body.text()
      answer = { kind: 'answer', status: response.statusCode, headers: response.headers, body: parse(text), text }
    } catch (error) {
      const failure = classifyFailure(error)
      return { kind: 'failure', code: failure.code, class: failure.class }
    }
    return { ...answer, class: classifyAnswer(answer) }
  }
  return { ask, close: () => agent.destroy() }
}
