import { pesewas } from '../../../money/pesewas.ts'
import { limitTime } from '../../../suppliers/calling/call-supplier.ts'
import type { AskLimit, RegistrationAnswer, RegistrationSupplier } from '../../../suppliers/registration-port.ts'
import { probeNumber } from './watch-registration-servers.ts'

/** A registration server in memory, for tests of how it is asked. */
export type StubRegistrationServer = {
  readonly supplier: RegistrationSupplier
  /** The server never answers about these numbers; all others are registered. */
  silentAbout: (number: string) => boolean
  /** All numbers that were asked about, in order. */
  readonly asked: string[]
  /** How many questions run at the same time: now, and at most so far. Probes are counted separately. */
  readonly load: Record<'probes' | 'questions', { now: number; most: number }>
}

/** Opens a server that has registered every number. */
export function createStubRegistrationServer(name = 'stub'): StubRegistrationServer {
  const load = { probes: { now: 0, most: 0 }, questions: { now: 0, most: 0 } }
  const asked: string[] = []

  async function answer(number: string, { signal, milliseconds = 60_000 }: AskLimit): Promise<RegistrationAnswer> {
    const lane = number === probeNumber ? load.probes : load.questions
    asked.push(number)
    lane.now += 1
    lane.most = Math.max(lane.most, lane.now)
    const isSilent = stub.silentAbout(number)
    if (isSilent && !signal?.aborted) {
      const limited = limitTime(signal, milliseconds)
      await new Promise((resolve) => limited.signal.addEventListener('abort', resolve))
      limited.release()
    }
    lane.now -= 1
    if (isSilent) return { meaning: 'unavailable', evidence: 'silent', contact: 'silent', isRefusal: false }
    return { meaning: 'registered', evidence: '', contact: 'answered', isRefusal: false }
  }

  const stub: StubRegistrationServer = {
    silentAbout: () => false,
    asked,
    load,
    supplier: {
      name,
      resendClass: 'none',
      resendSafeSeconds: null,
      askSchedule: { delaysSeconds: [1], maximumInFlightSeconds: 1, raiseAfterSeconds: 1 },
      probeSeconds: 1,
      minimumFloatPesewas: pesewas(0),
      freeSlots: () => 1_000,
      askStatus: () => Promise.resolve({ meaning: 'unknown', evidence: '' }),
      readFloat: () => Promise.resolve({ meaning: 'unknown', evidence: '' }),
      close: () => Promise.resolve(),
      checkRecipient: answer,
      submitRecipient: answer,
    },
  }
  return stub
}
