import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'

/**
 * The rules for TLS connections: the "intermediate" profile of Mozilla's Server Side TLS without its DHE suites. Every
 * suite has authenticated encryption and forward secrecy, and renegotiation is off (RFC 9325).
 */
export const tlsRules: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}
