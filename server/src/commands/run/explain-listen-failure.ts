import { CommandError } from '../frame/command-error.ts'

/** Turns an error of a server that cannot listen into a message that says what to do. Returns any other error unchanged. */
export function explainListenFailure(error: unknown): unknown {
  const { code, port, address, syscall } = error as { code?: unknown; port?: unknown; address?: unknown; syscall?: unknown }
  const explain = (message: string) => new CommandError(message, { cause: error })
  if (code === 'EADDRINUSE') {
    return explain(`Port ${String(port)} is taken by another process. Stop that one, or give this one another port with PORT.`)
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return explain(`This user may not listen on port ${String(port)}. Give Makola a port from 1024 on with PORT.`)
  }
  if (code === 'EADDRNOTAVAIL') return explain(`${String(address)} is no address of this machine. Set HOST to one that is.`)
  return error
}
