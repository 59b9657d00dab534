import { resolve } from 'node:path'

export type SimulatorConfig = {
  /** 0 means any free port. */
  readonly port: number
  /** An absolute path. */
  readonly dataDir: string
  readonly logLevel: string
  /** Multiplies a supplier's initial waiting times. */
  readonly timeScale: number
  readonly deliveryMilliseconds: number
  /** Without a slash at its end. */
  readonly callbackBaseUrl: string
  readonly datamart: { readonly apiKey: string; readonly webhookSecret: string; readonly floatPesewas: number }
  readonly datakazina: { readonly apiKey: string; readonly floatPesewas: number }
  readonly hubtel: {
    readonly apiId: string
    readonly apiKey: string
    readonly prepaidDepositId: string
    readonly posSalesId: string
    readonly floatPesewas: number
  }
  readonly registration: { readonly apiKey: string }
  readonly paystack: { readonly secretKey: string }
  readonly mtnMomo: { readonly apiUser: string; readonly apiKey: string; readonly subscriptionKey: string }
  /** Credentials that the SMSC accepts. */
  readonly smsc: { readonly systemId: string; readonly password: string }
}

/** @throws Error naming the invalid variable */
export function readSimulatorConfig(environment: NodeJS.ProcessEnv = process.env): SimulatorConfig {
  const callbackBaseUrl = environment.SIMULATOR_CALLBACK_BASE_URL || environment.PUBLIC_URL || 'https://localhost:8443'
  if (!URL.canParse(callbackBaseUrl)) throw new Error(`SIMULATOR_CALLBACK_BASE_URL is not a URL: ${callbackBaseUrl}`)
  const port = readNumber(environment, 'SIMULATOR_PORT', 0)
  if (!Number.isInteger(port) || port > 65_535) throw new Error(`SIMULATOR_PORT is not a port: ${port}`)
  return {
    port,
    dataDir: resolve(environment.DATA_DIR || './data'),
    logLevel: environment.LOG_LEVEL || 'info',
    timeScale: readNumber(environment, 'SIMULATOR_TIME_SCALE', 1),
    deliveryMilliseconds: readNumber(environment, 'SIMULATOR_DELIVERY_MS', 1_000),
    callbackBaseUrl: callbackBaseUrl.replace(/\/+$/, ''),
    datamart: {
      apiKey: environment.SIMULATOR_DATAMART_API_KEY || 'simulated-datamart-key',
      webhookSecret: environment.SIMULATOR_DATAMART_WEBHOOK_SECRET || 'simulated-datamart-secret',
      floatPesewas: Math.round(readNumber(environment, 'SIMULATOR_DATAMART_FLOAT_GHS', 10_000_000) * 100),
    },
    datakazina: {
      apiKey: environment.SIMULATOR_DATAKAZINA_API_KEY || 'simulated-datakazina-key',
      floatPesewas: Math.round(readNumber(environment, 'SIMULATOR_DATAKAZINA_FLOAT_GHS', 10_000_000) * 100),
    },
    hubtel: {
      apiId: environment.SIMULATOR_HUBTEL_API_ID || 'simulated-hubtel-id',
      apiKey: environment.SIMULATOR_HUBTEL_API_KEY || 'simulated-hubtel-key',
      prepaidDepositId: 'simulated-prepaid',
      posSalesId: 'simulated-pos-sales',
      floatPesewas: Math.round(readNumber(environment, 'SIMULATOR_HUBTEL_FLOAT_GHS', 10_000_000) * 100),
    },
    smsc: {
      systemId: environment.SIMULATOR_SMPP_SYSTEM_ID || 'simulated',
      password: environment.SIMULATOR_SMPP_PASSWORD || 'smpp',
    },
    paystack: { secretKey: environment.SIMULATOR_PAYSTACK_SECRET_KEY || 'sk_test_simulated' },
    mtnMomo: {
      apiUser: 'simulated-momo-user',
      apiKey: 'simulated-momo-key',
      subscriptionKey: 'simulated-momo-subscription',
    },
    registration: { apiKey: environment.SIMULATOR_REGISTRATION_API_KEY || 'simulated-registration-key' },
  }
}

function readNumber(environment: NodeJS.ProcessEnv, name: string, defaultValue: number): number {
  const text = environment[name]
  if (text === undefined || text.trim() === '') return defaultValue
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number of 0 or more: ${text}`)
  return value
}
