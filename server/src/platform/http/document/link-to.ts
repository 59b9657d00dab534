/**
 * A link in the OpenAPI document to the endpoint with more details of an answer (OpenAPI 3.1, Link Object).
 * @param parameter the parameter of that endpoint
 * @param field the place of its value in `data` of the answer, as a JSON pointer without its first slash
 */
export function linkTo(operationId: string, parameter: string, field: string) {
  const description = `\`${field}\` of the answer is the \`${parameter}\` that this endpoint takes.`
  return { 200: { [operationId]: { operationId, parameters: { [parameter]: `$response.body#/data/${field}` }, description } } }
}
