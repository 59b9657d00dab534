import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import Type from 'typebox'
import type { PeopleDeps } from '../../people/people-deps.ts'
import { Envelope, eventStreamType, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import type { ReadReplica } from '../../platform/replica/open-read-replica.ts'
import { openLiveStreams } from './live-streams.ts'
import { liveTopics } from './live-topics.ts'
import { openLive } from './open-live.ts'

const Marks = Type.Object(
  { marks: Type.Object(Object.fromEntries(liveTopics.map((topic) => [topic, Type.String()]))) },
  { title: 'LiveMarks' },
)

const description = `With \`Accept: ${eventStreamType}\` a stream: first the event \`marks\` with all of them, then \`moved\`
with those that have moved, at most a second after they did, or when the read replica has them. It lasts as long as the session. Else, or when there are
enough streams already, the marks as they are now, to be asked for again.`

/** Registers the stream by which open desks learn which topics have changed. Their screens then read again. */
export function registerLiveRoutes(desk: Api, deps: PeopleDeps & { readonly log: Logger; readonly replica: ReadReplica }): void {
  const live = openLive({ ...deps, untilReadable: () => deps.replica.untilCaughtUp() })
  const streams = openLiveStreams({ ...deps, live })
  desk.addHook('preClose', (done) => {
    streams.end()
    done()
  })
  desk.get(
    '/live',
    {
      config: { permission: 'see', isUnlogged: true },
      schema: {
        operationId: 'deskLive',
        tags: ['Live'],
        summary: 'A mark for each topic, which is another one when something of it has changed',
        description,
        response: { 200: Envelope(Marks) },
      },
    },
    async (request, reply) => {
      const isStream = request.headers.accept?.includes(eventStreamType) === true
      const stream = isStream ? streams.open(request.person) : undefined
      if (!stream) return ok({ marks: await live.read() })
      const answer: FastifyReply = reply
      // Without `x-accel-buffering: no`, a proxy may hold events back to send several at once.
      answer.header('content-type', eventStreamType).header('x-accel-buffering', 'no')
      return answer.send(stream)
    },
  )
}
