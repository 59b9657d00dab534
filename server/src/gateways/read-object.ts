/** An object from a gateway's JSON. Its fields may have any type. */
export type GatewayObject = { readonly [name: string]: unknown }

/** @returns undefined unless the value is an object; an array or null does not count as one */
export function objectOf(value: unknown): GatewayObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as GatewayObject) : undefined
}

/** Parses text that should be a JSON object. @returns undefined for anything else */
export function parseObject(text: string): GatewayObject | undefined {
  try {
    return objectOf(JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** @returns undefined for a missing, empty or non-text field */
export function textOf(object: GatewayObject | undefined, name: string): string | undefined {
  const value = object?.[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
