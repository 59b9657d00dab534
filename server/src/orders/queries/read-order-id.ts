const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The order's id that a look-up may mean (decision R12: look-ups by reference or id), as we write it; undefined when the name
 * cannot be one.
 */
export function readOrderId(name: string): string | undefined {
  const lowered = name.toLowerCase()
  return shape.test(lowered) ? lowered : undefined
}
