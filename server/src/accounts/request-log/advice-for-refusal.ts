/** The advice to developers for a refusal, by its `X-Error-Reason`. */
const adviceByReason: Readonly<Record<string, string>> = {
  invalid_request: 'Correct the fields that the message names. Numbers are sent as numbers, not as texts.',
  unreadable_body: 'Send one JSON object in UTF-8, not compressed, with Content-Type: application/json.',
  wrong_key_type: 'Use the key of the other type for this endpoint: Developer API shows which key works where.',
  key_pending: 'We must approve the key. You are told when it works.',
  key_revoked: 'Put the newest key into your program, and look for a copy of the old one that still runs somewhere.',
  address_not_allowed: 'Add the address of your server to the addresses of the key, or look who else has the key.',
  account_suspended: 'Ask us why the account is suspended.',
  role_not_allowed: 'Ask us for a role that may use the API.',
  order_not_found: 'Look the order up by the reference that you sent when you bought, with the endpoint of its product.',
  reference_taken: 'Each order needs a reference of its own. Send a reference again only to repeat exactly the same order.',
  prefix_mismatch: 'Let the customer check number and network, or leave the choice of the network to the number.',
  insufficient_funds: 'Top up the wallet. Switch on the low-balance notice, so that you hear of it earlier.',
  rate_limited: 'Wait as long as Retry-After says before the next request, and ask for the state of orders less often.',
  feature_disabled: 'We have switched this off for now. Try again later with the same reference.',
  network_unavailable: 'Nobody delivers on this network at the moment. Try again later with the same reference.',
  outcome_unknown: 'Send the same request with the same reference: it is never charged twice.',
  overloaded: 'Send the same request with the same reference after Retry-After.',
}

/** The advice for every other refusal, by its status. */
const adviceByStatus: Readonly<Record<number, string>> = {
  400: 'Correct what the message names, then send the request again.',
  402: 'Buy SMS credits, then send the same request again.',
  403: 'The message says what is not allowed, and who can change it.',
  404: 'Check the path and the id or reference in it. What belongs to another account is not found either.',
  409: 'Something stands in the way; the message says what. This try charged nothing.',
  410: 'This is gone for good. The documentation says what takes its place.',
  429: 'Wait as long as Retry-After says.',
  502: 'A supplier did not answer the check. Try again soon.',
  503: 'Send the same request with the same reference after Retry-After.',
}

export function adviceForRefusal(reason: string, status: number): string {
  return (
    adviceByReason[reason] ??
    adviceByStatus[status] ??
    'It was our mistake and is recorded. Send the same request with the same reference.'
  )
}
