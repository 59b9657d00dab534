import { refuse } from '../../platform/http/refusals.ts'

export const webhookRefusals = {
  endpointNotFound: refuse(404, 'endpoint_not_found', 'There is no such webhook endpoint.'),
  deliveryNotFound: refuse(404, 'delivery_not_found', 'There is no such delivery, or it is too old to be kept.'),
  addressNotAllowed: (why: string) => refuse(400, 'endpoint_address', why),
  tooManyEndpoints: refuse(409, 'too_many_endpoints', 'An account has at most 10 webhook endpoints. Remove one first.'),
}
