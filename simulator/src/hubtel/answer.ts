export const codes = {
  processed: '0000',
  pending: '0001',
  httpFailure: '0005',
  failed: '2001',
  invalid: '4010',
  floatEmpty: '4075',
  unauthorised: '4101',
  notPermitted: '4103',
} as const

/** The envelope of the services' host: PascalCase. */
export function answer(code: string, message: string, data: unknown = null): Record<string, unknown> {
  return { ResponseCode: code, Message: message, Data: data }
}

/** Refuses a request because of one field. */
export function invalidAnswer(field: string, error: string): Record<string, unknown> {
  return answer(codes.invalid, 'Validation Errors', [{ Field: field, ErrorMessage: error }])
}

/** The envelope of the other two hosts: camelCase. */
export function plainAnswer(code: string, message: string, data: unknown = null): Record<string, unknown> {
  return { message, responseCode: code, data }
}
