import { type Refusals, refuse } from '../../platform/http/refusals.ts'

export const dataRefusals = {
  packageNotFound: refuse(
    404,
    'package_not_found',
    'No package was found for this network and size. GET /packages lists those on sale.',
  ),
  packageUnavailable: refuse(404, 'package_unavailable', 'This package is not available at the moment.'),
  packageOutOfStock: refuse(404, 'package_out_of_stock', 'This package is out of stock.'),
  numberNotRegistered: refuse(
    409,
    'number_not_registered',
    'This number is not registered yet. This try placed no order and charged nothing. The number was submitted for registration; retry in 24 hours.',
  ),
  registrationServerUnreachable: (server: number) =>
    refuse(502, 'registration_server_unreachable', `Registration server ${server} cannot be reached at the moment. Try again.`),
} as const satisfies Refusals
