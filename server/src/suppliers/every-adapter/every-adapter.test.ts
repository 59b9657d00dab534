import { startSimulator } from '../../../test/start-simulator.ts'
import { adapters } from '../adapters.ts'
import type { Conforming } from './adapter-trial.fixture.ts'
import { describeAdapter } from './every-adapter.fixture.ts'

type Trial = { readonly conforming: Omit<Conforming, 'adapter' | 'name'> | undefined }

// An adapter whose folder says nothing fails the whole file.
for (const [name, adapter] of Object.entries(adapters)) {
  const { conforming } = (await import(`../${name}/conforming.fixture.ts`)) as Trial
  if (!conforming) continue
  describeAdapter({ ...conforming, name, adapter }, (callbackBaseUrl) => startSimulator({ callbackBaseUrl, timeScale: 0.1 }))
}
