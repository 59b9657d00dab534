/**
 * Answers of suppliers that compression compares evidence with; numbers and references are invented. The frequent ones come last,
 * because near text is copied with fewer bits.
 *
 * Never change this text, not even by a letter: what was stored with it could not be read any more. For other words, add a
 * dictionary with the next number to `dictionaries`. All new evidence is packed with the newest one.
 */
const first = [
  'HTTP 400 {"status":"error","code":"INVALID_RECIPIENT","message":"This number cannot receive data bundles.","rateLimit":',
  'HTTP 404 {"status":"error","code":"ORDER_NOT_FOUND","message":"There is no such order.","rateLimit":{"limit":',
  'HTTP 404 {"message":"The transaction was not found.","responseCode":"4040","data":null}',
  'HTTP 200 {"ResponseCode":"0001","Message":"Your transaction is being processed.","Data":{"ClientReference":"01a2246b","Amount":2.9,"TransactionId":"0000000000000000","Meta":{"Commission":"0.0580"}}}',
  '{"ResponseCode":"0000","Message":"Your transaction was processed.","Data":{"AmountDebited":3,"ClientReference":"01a2246b","Amount":3,"TransactionId":"0000000000000000","Meta":{"Commission":"0.0600"},"ExternalTransactionId":"00000000","Charges":0,"RecipientName":"","Description":"Your transaction was processed."}}',
  'HTTP 200 {"message":"Successful","responseCode":"0000","data":{"date":"2026-11-28T23:08:54.766Z","status":"Unpaid","status":"Paid","transactionId":"0000000000000000","externalTransactionId":null,"paymentMethod":"prepaid","clientReference":"01a2246b","currencyCode":null,"amount":2.9,"charges":0,"isFulfilled":false}}"isFulfilled":true}}',
  'HTTP 200 {"success":true,"message":"Your order has been placed.","data":{"transaction_code":"DK-00000001","incoming_api_ref":',
  '"status":"pending","status":"failed","status":"completed","amount":"',
  'HTTP 200 {"success":true,"message":"Transaction found.","data":{"transaction_code":"DK-00000001","incoming_api_ref":"01a2246a","recipient_msisdn":"024000000","network_id":3,"shared_bundle":1000,"status":"processing","amount":"2.9500"}}',
  '"network":"TELECEL","network":"AT_PREMIUM","network":"AT_BIGTIME","capacity":"',
  '"orderStatus":"failed","reason":"The network did not deliver the bundle.","createdAt":"',
  '"orderStatus":"pending","createdAt":"2026-11-28T23:08:35.414Z","updatedAt":"',
  '{"event":"order.completed","timestamp":"2026-11-28T23:08:35.761Z","data":{"ref":"01a2246a","orderReference":"DM-00000016","phoneNumber":"024000000","network":"YELLO","capacity":"1","price":2.85,"orderStatus":"completed"}}',
  'HTTP 200 {"status":"success","data":{"ref":"01a2246a","orderReference":"DM-00000014","phoneNumber":"024000000","network":"YELLO","capacity":"1","price":2.85,"orderStatus":"completed","createdAt":"2026-11-28T23:08:35.414Z","updatedAt":"2026-11-28T23:08:35.414Z"},"rateLimit":{"limit":1000000,"remaining":999994,"resetSeconds":60}}',
  '"orderStatus":"processing","createdAt":"2026-11-28T23:08:35.414Z","updatedAt":"2026-11-28T23:08:35.414Z","balanceAfter":9999969.05,"isReplay":true},"isReplay":false},"rateLimit":{"limit":1000000,"remaining":999824,"resetSeconds":48}}',
].join('')

/** By the number that is the first byte of what is stored with them. Numbers are below 32. */
export const dictionaries: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.from(first)]])
