import Type, { type Static } from 'typebox'

/** `description` completes "VARIABLE must be …" in the error message. */
function choice<C extends string>(choices: readonly C[]) {
  return Type.Unsafe<C>({ type: 'string', enum: [...choices], description: `one of ${choices.join(', ')}` })
}

function text(description: string, pattern = '.') {
  return Type.Optional(Type.String({ pattern, description }))
}

/** The values that switch the demo on. `empty` makes one without invented orders. */
export const demoOn = ['true', 'on', '1', 'yes', 'empty'] as const
const demoChoice = choice([...demoOn, 'false', 'off', '0', 'no'])

/** The variables of the environment that configure Makola, with their forms. */
export const Environment = Type.Object({
  DATABASE_URL: text('a PostgreSQL address such as postgresql://user:password@host/makola', '^postgres(ql)?://'),
  DATABASE_READ_URL: text('the PostgreSQL address of a standby', '^postgres(ql)?://'),
  MIGRATE_DATABASE_URL: text('a PostgreSQL address with the login that owns the tables', '^postgres(ql)?://'),
  DATA_DIR: Type.String({ default: './data', description: 'a folder' }),
  ARCHIVE_DIR: text('a folder'),
  HOST: Type.String({ default: '127.0.0.1', pattern: '^[^\\s/]+$', description: 'an address or host name to listen on' }),
  PORT: Type.Integer({ default: 8443, minimum: 0, maximum: 65_535, description: 'a port number from 0 to 65535' }),
  TLS: Type.Optional(choice(['local', 'files', 'proxy'])),
  TLS_CERT_FILE: text('a file with a certificate chain in PEM'),
  TLS_KEY_FILE: text('a file with a private key in PEM'),
  TRUSTED_PROXIES: text('a list of IP addresses or networks, separated by commas'),
  KEY_PREFIX: Type.String({
    default: 'makola',
    pattern: '^[a-z][a-z0-9]{1,19}$',
    description: '2 to 20 lower-case letters and digits',
  }),
  SECRETS_KEY: text('32 bytes in base64 (make one with `openssl rand -base64 32`)', '^[\\s,]*([A-Za-z0-9+/_-]{43}=?[\\s,]*)+$'),
  SECRETS_KEY_FILE: text('a file with 32 bytes in base64'),
  SUPPLIERS: Type.Unsafe<'simulator' | 'live'>({ ...choice(['simulator', 'live']), default: 'simulator' }),
  SIMULATOR_URL: text("the simulator's address", '^http://'),
  SIMULATOR_CALL_SECONDS: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 30, description: 'a number of seconds from 1 to 30' }),
  ),
  DEMO: Type.Optional(demoChoice),
  TEST_MODE: Type.Optional(choice(['on', 'off'])),
  TEST_API_URL: text("the address of the test side's API", '^http://'),
  TEST_DATABASE_URL: text('a PostgreSQL address such as postgresql://user:password@host/makola_test', '^postgres(ql)?://'),
  TEST_SIDE_OF: Type.Optional(choice(['simulator', 'live'])),
  LOG_LEVEL: Type.Unsafe<string>({ ...choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), default: 'info' }),
  LOG_FORMAT: Type.Optional(choice(['json', 'text'])),
  NO_COLOR: text('anything, for a log without colour'),
  SMTP_URL: text('an address such as smtp://user:password@host:587', '^smtps?://'),
  STAFF_TWO_FACTOR: Type.Optional(choice(['on', 'off'])),
  PUBLIC_URL: text('an address that starts with https://', '^https://[^\\s/]+'),
  OIDC_ISSUER: text('an https:// address of an OpenID provider', '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/])[^\\s]*$'),
  OIDC_CLIENT_ID: text('the id under which the provider knows this installation'),
  OIDC_CLIENT_SECRET: text('the secret that belongs to OIDC_CLIENT_ID'),
  OIDC_DOMAINS: text('a list of e-mail domains, separated by commas'),
  OIDC_GROUP: text('a value of the claim groups'),
  OIDC_TRUSTED_FACTORS: text('a list of values of amr or acr, separated by commas'),
  RATE_LIMIT_STORE: Type.Optional(choice(['memory', 'postgres'])),
  METRICS_HOST: Type.String({ default: '127.0.0.1', pattern: '^[^\\s/]+$', description: 'an address or host name to listen on' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: text('the address of a collector, such as http://127.0.0.1:4318', '^https?://'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text('an address of a collector that takes traces', '^https?://'),
  OTEL_SDK_DISABLED: text('true or false'),
  OTEL_TRACES_SAMPLER: text('always_on, always_off or traceidratio, with or without parentbased_ before it'),
  OTEL_TRACES_SAMPLER_ARG: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'a share from 0 to 1' })),
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, description: 'a port number from 0 to 65535' })),
})
export type Environment = Static<typeof Environment>
