import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('without any variable', () => {
  test('Makola runs on the embedded database, with the simulator and a local certificate', () => {
    expect(readConfig({})).toEqual({
      databaseUrl: undefined,
      dataDir: resolve('data'),
      archiveDir: resolve('data/archive'),
      host: '127.0.0.1',
      port: 8443,
      tls: { kind: 'local' },
      keyPrefix: 'makola',
      secretsKey: undefined,
      suppliers: 'simulator',
      simulatorUrl: undefined,
      demo: true,
      hasDemoMonth: true,
      hasTestSide: false,
      testSide: undefined,
      testDatabaseUrl: undefined,
      testSideOf: undefined,
      logLevel: 'info',
      logFormat: 'json',
      hasColour: false,
      smtpUrl: undefined,
      isStaffTwoFactorNeeded: true,
      publicUrl: 'https://localhost:8443',
      rateLimitStore: 'postgres',
    })
  })

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', SUPPLIERS: '' })).toEqual(readConfig({}))
  })
})

test('live suppliers switch the demo off unless it is asked for', () => {
  expect(readConfig({ SUPPLIERS: 'live' }).demo).toBe(false)
  expect(readConfig({ SUPPLIERS: 'live', DEMO: 'on' }).demo).toBe(true)
  expect(readConfig({ DEMO: '0' }).demo).toBe(false)
  expect(readConfig({ DEMO: 'empty' })).toMatchObject({ demo: true, hasDemoMonth: false })
  expect(readConfig({})).toMatchObject({ demo: true, hasDemoMonth: true })
})

test('staff work without a second factor only with the simulator, and only when it is asked for', () => {
  expect(readConfig({ SUPPLIERS: 'live' }).isStaffTwoFactorNeeded).toBe(true)
  expect(readConfig({ STAFF_TWO_FACTOR: 'off' }).isStaffTwoFactorNeeded).toBe(false)
  expect(() => readConfig({ STAFF_TWO_FACTOR: 'off', SUPPLIERS: 'live' })).toThrow('STAFF_TWO_FACTOR=off is allowed only with')
  expect(() => readConfig({ STAFF_TWO_FACTOR: 'maybe' })).toThrow('STAFF_TWO_FACTOR must be one of on, off')
})

test('a directory is given whole, over TLS unless it is on this machine, and its secret is never repeated', () => {
  const given = { OIDC_ISSUER: 'https://sso.house.test/realms/a', OIDC_CLIENT_ID: 'makola', OIDC_CLIENT_SECRET: 'x' }
  expect(readConfig({}).directory).toBeUndefined()
  expect(readConfig({ ...given, OIDC_DOMAINS: 'House.test, b.test' }).directory).toEqual({
    issuer: 'https://sso.house.test/realms/a',
    clientId: 'makola',
    clientSecret: 'x',
    domains: ['house.test', 'b.test'],
    group: undefined,
    trustedFactors: [],
  })
  expect(() => readConfig({ OIDC_CLIENT_SECRET: 'x y z' })).toThrow(/^(?!.*x y z).*must be given together/)
  expect(() => readConfig({ ...given, OIDC_ISSUER: 'http://sso.house.test' })).toThrow('OIDC_ISSUER must be')
  expect(() => readConfig({ ...given, OIDC_ISSUER: 'http://localhost.evil.test' })).toThrow('OIDC_ISSUER must be')
})

test('rate limits are shared through the database, whichever it is, unless memory is asked for', () => {
  expect(readConfig({}).rateLimitStore).toBe('postgres')
  expect(readConfig({ DATABASE_URL: 'postgresql://makola@db/makola' }).rateLimitStore).toBe('postgres')
  expect(readConfig({ DATABASE_URL: 'postgresql://makola@db/makola', RATE_LIMIT_STORE: 'memory' }).rateLimitStore).toBe('memory')
})

test('an address of the database may name several hosts, but none that takes no writes', () => {
  const url = 'postgresql://makola@db1:5432,db2:5433/makola?target_session_attrs=read-write'
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  expect(() => readConfig({ DATABASE_URL: 'postgresql://db1,db2/makola?target_session_attrs=standby' })).toThrow(
    'DATABASE_URL cannot be used: target_session_attrs must be one of any, read-write, primary, because Makola always writes.',
  )
})

test('the public address follows the host and port unless it is given', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '9000' }).publicUrl).toBe('https://localhost:9000')
  expect(readConfig({ HOST: 'api.example.com', PORT: '443' }).publicUrl).toBe('https://api.example.com:443')
  expect(readConfig({ PUBLIC_URL: 'https://api.example.com/' }).publicUrl).toBe('https://api.example.com')
})

test('a certificate from files, and a proxy in front, are told apart', () => {
  expect(readConfig({ TLS_CERT_FILE: '/c.pem', TLS_KEY_FILE: '/k.pem' }).tls).toEqual({
    kind: 'files',
    certFile: '/c.pem',
    keyFile: '/k.pem',
  })
  expect(readConfig({ TLS: 'proxy', TRUSTED_PROXIES: '10.0.0.0/8, loopback,fd00::1' }).tls).toEqual({
    kind: 'proxy',
    trustedProxies: ['10.0.0.0/8', 'loopback', 'fd00::1'],
  })
})

test.each([
  [{ PORT: 'abc' }, 'PORT must be a port number from 0 to 65535, not "abc".'],
  [{ PORT: '70000' }, 'PORT must be a port number from 0 to 65535, not "70000".'],
  [{ SIMULATOR_CALL_SECONDS: '31' }, 'SIMULATOR_CALL_SECONDS must be a number of seconds from 1 to 30, not "31".'],
  [{ SUPPLIERS: 'real' }, 'SUPPLIERS must be one of simulator, live, not "real".'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".'],
  [{ KEY_PREFIX: 'My_Shop' }, 'KEY_PREFIX must be 2 to 20 lower-case letters and digits, not "My_Shop".'],
  [{ DEMO: 'maybe' }, 'DEMO must be one of true, on, 1, yes, empty, false, off, 0, no, not "maybe".'],
  [
    { DATABASE_URL: 'mysql://secret@db' },
    'DATABASE_URL must be a PostgreSQL address such as postgresql://user:password@host/makola.',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://secret@collector' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector, such as http://127.0.0.1:4318.',
  ],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY must be 32 bytes in base64 (make one with `openssl rand -base64 32`).'],
  [{ PUBLIC_URL: 'http://shop.example' }, 'PUBLIC_URL must be an address that starts with https://.'],
  [{ TLS_CERT_FILE: '/c.pem' }, 'TLS_CERT_FILE and TLS_KEY_FILE must be given together.'],
  [{ TLS: 'proxy' }, 'TLS=proxy needs TRUSTED_PROXIES: the addresses of the proxies, for example 10.0.0.5 or loopback.'],
  [
    { TLS: 'proxy', TRUSTED_PROXIES: '10.0.0.0/33' },
    'TRUSTED_PROXIES must be a list of IP addresses or networks; "10.0.0.0/33" is none.',
  ],
])('%j is refused with a sentence that names the variable', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(message))
})

test.each([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 1],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, 1],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER: 'always_off' }, undefined],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    },
    0.05,
  ],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, undefined],
] as const)('the part of orders that is traced with %o is %s', (environment, share) => {
  expect(readConfig(environment).tracedShare).toBe(share)
})
