/**
 * A link in the OpenAPI document to the endpoint that tells more about what a call answered (OpenAPI 3.1, Link Object).
 * @param parameter the parameter of that endpoint
 * @param field where its value stands in `data` of the answer, as a JSON pointer without its first slash
 */
export function linkTo(operationId: string, parameter: string, field: string) {
  const description = `\`${field}\` of the answer is the \`${parameter}\` that this endpoint takes.`
  return { 200: { [operationId]: { operationId, parameters: { [parameter]: `$response.body#/data/${field}` }, description } } }
}
