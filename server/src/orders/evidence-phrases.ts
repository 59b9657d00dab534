/**
 * Phrases that suppliers repeat in each answer, for `packEvidence`. The first 31 take one byte, the others two, 62 at most.
 *
 * Never change a released list, not even the order of its phrases: evidence that was packed with it would be read wrongly. For
 * other phrases add a list with the next number to `phraseLists`; all new evidence is packed with the newest list. A version
 * that lacks a list cannot read evidence packed with it, so release a list one version before anything is packed with it.
 */
const first = [
  'HTTP 200 {"status":"success","data":{"ref":"',
  '{"event":"order.completed","timestamp":"20',
  '{"event":"order.failed","timestamp":"20',
  '","data":{"ref":"',
  '","orderReference":"DM-',
  '","phoneNumber":"0',
  '","network":"YELLO","capacity":"',
  '","network":"TELECEL","capacity":"',
  '","network":"AT_PREMIUM","capacity":"',
  '","network":"AT_BIGTIME","capacity":"',
  '","price":',
  ',"orderStatus":"pending","createdAt":"20',
  ',"orderStatus":"processing","createdAt":"20',
  ',"orderStatus":"completed","createdAt":"20',
  ',"orderStatus":"completed"}}',
  'Z","updatedAt":"20',
  'Z","balanceAfter":',
  ',"isReplay":false},"rateLimit":{"limit":',
  'Z"},"rateLimit":{"limit":',
  ',"remaining":',
  ',"resetSeconds":',
  'HTTP 200 {"success":true,"message":"Your order has been placed.","data":{"transaction_code":"DK-',
  'HTTP 200 {"success":true,"message":"Transaction found.","data":{"transaction_code":"DK-',
  '","incoming_api_ref":"',
  '","recipient_msisdn":"0',
  '","network_id":',
  ',"shared_bundle":',
  ',"status":"pending","amount":"',
  ',"status":"processing","amount":"',
  ',"status":"completed","amount":"',
  '","clientReference":"',
  'HTTP 200 {"ResponseCode":"0001","Message":"Your transaction is being processed.","Data":{"ClientReference":"',
  '{"ResponseCode":"0000","Message":"Your transaction was processed.","Data":{"AmountDebited":',
  ',"ClientReference":"',
  '","Amount":',
  ',"TransactionId":"',
  '","Meta":{"Commission":"',
  '"},"ExternalTransactionId":"',
  '","Charges":0,"RecipientName":"","Description":"Your transaction was processed."}}',
  'HTTP 200 {"message":"Successful","responseCode":"0000","data":{"date":"20',
  'Z","status":"Paid","transactionId":"',
  'Z","status":"Unpaid","transactionId":"',
  '","externalTransactionId":null,"paymentMethod":"prepaid","clientReference":"',
  '","currencyCode":null,"amount":',
  ',"charges":0,"isFulfilled":false}}',
  ',"charges":0,"isFulfilled":true}}',
  'HTTP 404 {"message":"The transaction was not found.","responseCode":"4040","data":null}',
  'HTTP 404 {"status":"error","code":"ORDER_NOT_FOUND","message":"There is no such order."',
  'HTTP 400 {"status":"error","code":"INVALID_RECIPIENT","message":"This number cannot receive data bundles."',
  '"orderStatus":"failed","reason":"The network did not deliver the bundle."',
]

/** The lists by their numbers, 1 to 31. Packed evidence begins with a byte that is the number of its list. */
export const phraseLists: ReadonlyMap<number, readonly string[]> = new Map([[1, first]])
