import { openQueries, startApp } from '../both/start.tsx'
import { Desk } from './desk.tsx'
import { deskMeKey } from './me.ts'

startApp('/desk', deskMeKey, <Desk />, openQueries())
