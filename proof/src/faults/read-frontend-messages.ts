/** A message from a client to PostgreSQL (PostgreSQL, "Message Formats"). */
export type FrontendMessage =
  | { readonly kind: 'startup'; readonly applicationName: string }
  | { readonly kind: 'query'; readonly text: string }
  /** A statement is prepared under a name, which may be empty. */
  | { readonly kind: 'parse'; readonly statement: string; readonly text: string }
  /** A prepared statement is about to be run. */
  | { readonly kind: 'bind'; readonly statement: string }
  | { readonly kind: 'other'; readonly type: string }

const lengthBytes = 4
/** Version 3.0 of the protocol. Any other number there (SSL, cancel) does not start a session. */
const protocolVersion = 196_608

function readStartup(body: Buffer): FrontendMessage {
  if (body.readInt32BE(0) !== protocolVersion) return { kind: 'other', type: 'startup' }
  const words = body.subarray(lengthBytes).toString('utf8').split('\0')
  const index = words.indexOf('application_name')
  return { kind: 'startup', applicationName: index === -1 ? '' : (words[index + 1] ?? '') }
}

/** Reads the messages of one connection from pieces of any size. */
export function openFrontendReader(): (data: Buffer) => FrontendMessage[] {
  let rest = Buffer.alloc(0)
  let isStarted = false

  /** Takes one whole message from the beginning of the bytes. The first message of a session has no type. */
  function take(): FrontendMessage | undefined {
    const typeBytes = isStarted ? 1 : 0
    if (rest.length < typeBytes + lengthBytes) return undefined
    const end = typeBytes + rest.readInt32BE(typeBytes)
    if (rest.length < end) return undefined
    const type = isStarted ? String.fromCharCode(rest[0] ?? 0) : 'startup'
    const body = rest.subarray(typeBytes + lengthBytes, end)
    rest = rest.subarray(end)
    if (type === 'Q') return { kind: 'query', text: body.toString('utf8').replace(/\0$/, '') }
    const [first = '', second = ''] = type === 'P' || type === 'B' ? body.toString('utf8').split('\0', 2) : []
    if (type === 'P') return { kind: 'parse', statement: first, text: second }
    if (type === 'B') return { kind: 'bind', statement: second }
    if (type !== 'startup') return { kind: 'other', type }
    const startup = readStartup(body)
    isStarted = startup.kind === 'startup'
    return startup
  }

  return (data) => {
    rest = Buffer.concat([rest, data])
    const messages: FrontendMessage[] = []
    for (let message = take(); message; message = take()) messages.push(message)
    return messages
  }
}
