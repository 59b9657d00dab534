import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** Connections that stay open without an answer. */
export type LostAnswers = {
  /** Gives no answer, and cuts the connection after this time or when the simulator stops. */
  lose(reply: FastifyReply, milliseconds: number): void
  /** Gives no answer until the client gives up. */
  hang(reply: FastifyReply): void
  cut(reply: FastifyReply): void
  cutAll(): void
}

export function createLostAnswers(): LostAnswers {
  const held = new Set<Socket>()

  function hang(reply: FastifyReply): Socket {
    reply.hijack()
    const { socket } = reply.request.raw
    held.add(socket)
    socket.once('close', () => held.delete(socket))
    return socket
  }

  return {
    lose: (reply, milliseconds) => {
      const socket = hang(reply)
      const timer = setTimeout(() => socket.destroy(), milliseconds)
      socket.once('close', () => clearTimeout(timer))
    },
    hang: (reply) => void hang(reply),
    cut: (reply) => void hang(reply).destroy(),
    cutAll: () => {
      for (const socket of held) socket.destroy()
    },
  }
}
