import { openQueries } from '../both/api/queries.ts'
import { startApp } from '../both/start.tsx'
import { Desk } from './desk.tsx'
import { deskMeKey } from './me.ts'

startApp('/desk', deskMeKey, <Desk />, openQueries())
