export { MakolaClient, type Registration } from './client.ts'
export type { CallOptions, ClientOptions, MadeReference } from './connection.ts'
export {
  AccessError,
  ConflictError,
  InsufficientFundsError,
  InvalidRequestError,
  MakolaError,
  NotFoundError,
  type Reason,
  RefusedError,
  StillOpenError,
  UnavailableError,
  UnclearError,
} from './errors.ts'
export type { Body, Data, Query } from './types.ts'
export type { Ended, Product } from './wait-until-done.ts'
export { verifyWebhook, type WebhookDelivery, WebhookError, type WebhookEvent } from './webhooks.ts'
