import type { StaffOperation } from './platform/operations/operation.ts'

/** Operations with one first word on the command line. They are loaded when it is typed, so that others start soon. */
export type OperationRoom = {
  readonly command: string
  /** In the help. */
  readonly summary: string
  /** The end of the help, below the examples. */
  readonly explanation?: string
  readonly load: () => Promise<readonly StaffOperation<unknown>[]>
}

const keys: OperationRoom = {
  command: 'key',
  summary: 'create, approve and revoke API keys',
  load: async () => (await import('./accounts/desk/keys.operations.ts')).keyOperations,
}

/** The products that follow the number plan, because a phone number can be on no network of another. */
async function loadNumberProducts(): Promise<string[]> {
  const { products } = await import('./products/products.ts')
  return products.filter(({ followsNumberPlan }) => followsNumberPlan).map(({ name }) => name)
}

const prefixes: OperationRoom = {
  command: 'prefix',
  summary: 'show and change which prefixes belong to which network; in force on all processes within a second',
  async load() {
    const { prefixOperations } = await import('./networks/number-plan.operations.ts')
    return prefixOperations(await loadNumberProducts())
  },
}

const portedNumbers: OperationRoom = {
  command: 'ported',
  summary: 'show and change which numbers were carried to another network; in force on all processes within a second',
  async load() {
    const { portedOperations } = await import('./networks/number-plan.operations.ts')
    return portedOperations(await loadNumberProducts())
  },
}

/** All operations of the staff, for the desk's routes and for the commands. */
export const operationRooms = { keys, prefixes, portedNumbers }
