const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Reads a look-up's name as an order id (decision R12: look-ups by reference or id). Undefined when it cannot be one. */
export function readOrderId(name: string): string | undefined {
  const lowered = name.toLowerCase()
  return shape.test(lowered) ? lowered : undefined
}
