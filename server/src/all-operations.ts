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

/** All operations of the staff, for the desk's routes and for the commands. */
export const operationRooms = { keys }
