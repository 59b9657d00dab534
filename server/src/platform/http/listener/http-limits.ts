/** Limits against clients that use too much of a process. Times in milliseconds, sizes in bytes. */
export type HttpLimits = {
  readonly apiBodyBytes: number
  readonly personBodyBytes: number
  readonly openBodyBytes: number
  readonly callbackBodyBytes: number
  readonly headerBytes: number
  readonly connections: number
  readonly idleConnectionsPerAddress: number
  readonly handshakeMilliseconds: number
  readonly headersMilliseconds: number
  readonly requestMilliseconds: number
  readonly answerMilliseconds: number
  readonly idleSocketMilliseconds: number
  readonly keepAliveMilliseconds: number
  readonly timeoutCheckMilliseconds: number
  readonly pathParameterLength: number
}

/** The values of every process; only tests set others. */
export const httpLimits: HttpLimits = {
  /** Requests with a key. The largest normal body, 10,000 SMS recipients, has about 150 KB. 1 MiB comes from decision A12b. */
  apiBodyBytes: 1_048_576,
  /** Requests with a session. A route may allow more, with a reason. */
  personBodyBytes: 262_144,
  /**
   * Requests without a key and without a session. An e-mail, a password and the token of a link together have less than 2
   * KB.
   */
  openBodyBytes: 8_192,
  /**
   * Callbacks of suppliers and payment gateways. A supplier's callback describes one order. If we refused it for its size, the
   * customer's order would wait some minutes longer.
   */
  callbackBodyBytes: 262_144,
  /** Node's own default: a path of 4 KB, a key and a proxy's headers fit with room to spare. */
  headerBytes: 16_384,
  /** A connection costs about 50 KB with TLS: 10,000 of them stay within a small server's memory. */
  connections: 10_000,
  /** Twice as many as the largest reseller's program keeps open. Idle connections of one address take about 50 MB. */
  idleConnectionsPerAddress: 1_000,
  /** A client on a bad mobile link finishes a handshake in a few seconds; a half-open one only holds memory. */
  handshakeMilliseconds: 10_000,
  /** Header lines fit into one or two packets. We assume that a client that needs longer for them means harm. */
  headersMilliseconds: 10_000,
  /** 1 MiB at 35 KB/s, slower than any link that could still use the answer. */
  requestMilliseconds: 30_000,
  /**
   * No caller waits longer than 10 s (decision A8). The time is counted from a request's headers on. The remaining 0.8 s are
   * for the handshake before, the answer after, and moments in which the process gets no processor. A purchase
   * is answered within 9 s.
   */
  answerMilliseconds: 9_200,
  /** Cuts off a client that stops reading its answer. We assume that no handler takes longer. */
  idleSocketMilliseconds: 75_000,
  /** Longer than the 60 s of common proxies, so that the proxy closes first and never writes into a closed socket. */
  keepAliveMilliseconds: 65_000,
  /** How often Node checks `headersMilliseconds` and `requestMilliseconds`. Its default is every 30 s. */
  timeoutCheckMilliseconds: 1_000,
  /** A reference has up to 100 code points, 12 characters each once percent-encoded. Fastify allows 100 by default. */
  pathParameterLength: 1_500,
}
