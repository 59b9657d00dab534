import { startApp } from '../both/start.tsx'
import { App } from './app.tsx'
import { keepApp } from './keep-app.ts'
import { meKey } from './me.ts'

startApp('/app', meKey, <App />)
keepApp()
