import { alonePart } from './parts/alone.ts'
import { archivePart } from './parts/archive.ts'
import { backgroundPart } from './parts/background.ts'
import { bytesPart } from './parts/bytes.ts'
import { drainPart } from './parts/drain.ts'
import { fairnessPart } from './parts/fairness.ts'
import { growthPart } from './parts/growth.ts'
import { historyPart } from './parts/history.ts'
import { idlePart } from './parts/idle.ts'
import { lookUpsPart } from './parts/look-ups.ts'
import { memoryPart } from './parts/memory.ts'
import type { Part } from './parts/part.ts'
import { purchasePart } from './parts/purchase.ts'
import { registrationsPart } from './parts/registrations.ts'
import { reportPart } from './parts/report.ts'
import { severalPart } from './parts/several.ts'
import { smsPart } from './parts/sms.ts'
import { startPart } from './parts/start.ts'
import { sweepPart } from './parts/sweep.ts'
import { testKeysPart } from './parts/test-keys.ts'
import { webhooksPart } from './parts/webhooks.ts'

/**
 * Parts of the bench, in their order. The report part comes before any worker counts daily sums. Parts that measure idle
 * processes, or drain orders, come before many orders are open. Parts that store orders come late, because the orders stay. So
 * do parts that leave the simulator with orders to deliver.
 */
export const allParts: readonly Part[] = [
  reportPart,
  startPart,
  idlePart,
  smsPart,
  drainPart,
  webhooksPart,
  bytesPart,
  purchasePart,
  alonePart,
  severalPart,
  sweepPart,
  lookUpsPart,
  registrationsPart,
  fairnessPart,
  historyPart,
  backgroundPart,
  memoryPart,
  testKeysPart,
  growthPart,
  archivePart,
]
